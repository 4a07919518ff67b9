"""What installs the environment of a checkout: uv is told what pip has been told, or pip does it."""

from collections.abc import Mapping

import pytest

import dependencies


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ("", {}),
        ("global.index-url='https://mirror.example/simple'", {"UV_DEFAULT_INDEX": "https://mirror.example/simple"}),
        (":env:.find-links='/opt/wheels /srv/more'", {"UV_FIND_LINKS": "/opt/wheels,/srv/more"}),
        ("global.cert='/etc/ssl/our own.crt'", {"SSL_CERT_FILE": "/etc/ssl/our own.crt"}),
        ("global.timeout='60'\ninstall.timeout='90'", {"UV_HTTP_TIMEOUT": "90"}),  # of the verb
        (":env:.timeout='5'\nglobal.timeout='60'", {"UV_HTTP_TIMEOUT": "5"}),  # the environment has the last word
        ("download.index-url='https://other.example'", {}),  # not where `pip install` looks
        (":env:.no-cache-dir='1'\nglobal.progress-bar='off'", {"UV_NO_CACHE": "1"}),
        ("global.index-url='https://a.example'\nglobal.extra-index-url='https://b.example'", None),  # which uv searches otherwise
        ("global.client-cert='/etc/ssl/own.pem'", None),
    ],
)  # fmt: skip
def test_uv_is_told_what_pip_has_been_told(listed: str, told: Mapping[str, str] | None) -> None:
    assert dependencies.variables(listed.splitlines()) == told
