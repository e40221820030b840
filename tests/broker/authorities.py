"""Certificate authorities and certificates, made on the spot with openssl."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """An authority of a hall's own; its files are in `folder`."""

    def __init__(self, openssl: str, folder: Path) -> None:
        self._openssl = openssl
        self.folder = folder
        folder.mkdir(parents=True)
        self._run(
            *("req", "-x509", *_NEW_KEY, "-days", "2", "-subj", f"/CN=authority of {folder.name}"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-keyout", "ca.key", "-out", "ca.pem"),
        )

    @property
    def root(self) -> Path:
        return self.folder / "ca.pem"

    def trusted(self) -> ssl.SSLContext:
        """What a client uses that trusts this authority and no other."""
        return ssl.create_default_context(cafile=self.root)

    def certificate(self, names: str = "IP:127.0.0.1,DNS:localhost") -> tuple[Path, Path]:
        """A server's certificate for `names`, and its key."""
        stem = f"server-{len(list(self.folder.iterdir()))}"
        (self.folder / f"{stem}.ext").write_text(
            f"subjectAltName={names}\nauthorityKeyIdentifier=keyid\nbasicConstraints=CA:FALSE\n"
            "keyUsage=digitalSignature\nextendedKeyUsage=serverAuth\n",
            "utf-8",
        )
        self._run("req", *_NEW_KEY, "-subj", "/CN=broker", "-keyout", f"{stem}.key", "-out", f"{stem}.csr")
        self._run(
            *("x509", "-req", "-in", f"{stem}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"),
            *("-days", "2", "-extfile", f"{stem}.ext", "-out", f"{stem}.pem"),
        )
        return self.folder / f"{stem}.pem", self.folder / f"{stem}.key"

    def _run(self, *arguments: str) -> None:
        subprocess.run([self._openssl, *arguments], cwd=self.folder, check=True, capture_output=True, timeout=60)
