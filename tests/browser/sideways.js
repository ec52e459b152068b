// The width of a page that scrolls sideways
() => document.documentElement.scrollWidth > innerWidth ? [document.documentElement.scrollWidth] : []
