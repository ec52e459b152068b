import no_such_package.part
