"""The site while it's served: a build follows when the programs have run, whenever that is."""

import threading
from pathlib import Path
from types import SimpleNamespace

from mkdocs.livereload import LiveReloadServer
from support.shared import HANG
from support.wait import wait_for

from weaver.mkdocs import private
from weaver.mkdocs.options import Options
from weaver.mkdocs.serving import Preview


def test_what_has_run_before_the_server_looks_for_changes_is_built_all_the_same(tmp_path):
    built = threading.Event()
    server = LiveReloadServer(built.set, "127.0.0.1", 0, str(tmp_path), polling_interval=0.1)
    preview = Preview(Options(), done=lambda: None)
    private.build_by(server, preview.build)
    runner = SimpleNamespace(results=lambda progress: None)
    preview.follow(server, runner, SimpleNamespace(may_run=threading.Event(), results=lambda: None))
    wait_for(lambda: preview.waits and Path(preview.folder.name, "news").exists())
    threading.Thread(target=server.serve, daemon=True).start()
    assert built.wait(HANG)
    preview.end()
    server.shutdown()
