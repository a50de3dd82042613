"""Judge file systems and folders as places for a log: pure functions over gathered facts.

A network file system has no reliable locks, and a synced folder replaces files behind our back and
sends them elsewhere.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath

_NETWORK = frozenset(
    (
        "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afs", "afpfs", "webdav", "davfs",
        "ceph", "glusterfs", "lustre", "gpfs", "ncpfs", "vboxsf", "prl_fs", "vmhgfs",
    )
)  # fmt: skip
_NETWORK_FUSE = re.compile(
    r"fuse\.(sshfs|rclone|s3fs|gcsfuse|ceph|glusterfs|davfs2?|smbnetfs|curlftpfs|vmhgfs-fuse|gvfsd.*)"
)
_OCTAL = re.compile(r"\\([0-7]{3})")

_FOLDERS = (
    (re.compile(r"dropbox( \(.*\))?", re.IGNORECASE), "Dropbox"),
    (re.compile(r"onedrive( - .*)?", re.IGNORECASE), "OneDrive"),
    (re.compile(r"(google ?drive|googledrive-.*|my drive)", re.IGNORECASE), "Google Drive"),
    (re.compile(r"(mobile documents|com~apple~clouddocs|icloud ?drive.*)", re.IGNORECASE), "iCloud"),
    (re.compile(r"nextcloud|owncloud", re.IGNORECASE), "Nextcloud"),
    (re.compile(r"cloudstorage", re.IGNORECASE), "a cloud drive"),
)  # fmt: skip
_MARKS = {".stfolder": "Syncthing", ".dropbox": "Dropbox", ".dropbox.cache": "Dropbox"}

MARKS = tuple(_MARKS)
"""Names whose presence in a folder, or in one above, tells that it is synced."""


def mount_of(path: str, mounts: str) -> tuple[str, str] | None:
    """(mount point, type) of the file system that holds an absolute path, by `/proc/self/mounts`."""
    best: tuple[str, str] | None = None
    for point, kind in _mounts(mounts):
        inside = point in ("/", path) or path.startswith(point + "/")
        # Of two on one point the later one hides the earlier.
        if inside and (best is None or len(point) >= len(best[0])):
            best = (point, kind)
    return best


def _mounts(text: str) -> Iterable[tuple[str, str]]:
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) >= 3:
            yield _OCTAL.sub(lambda found: chr(int(found[1], 8)), fields[1]), fields[2]


def is_network(kind: str) -> bool:
    """Return whether this type of file system is another machine's."""
    return kind in _NETWORK or _NETWORK_FUSE.fullmatch(kind) is not None


def synced_by(path: str, marks: Iterable[str] = ()) -> str | None:
    """Return the program that syncs this folder, by names in its path and by marks in it or above."""
    for mark in marks:
        if mark in _MARKS:
            return _MARKS[mark]
    for part in PurePath(path).parts:
        for name, service in _FOLDERS:
            if name.fullmatch(part):
                return service
    return None
