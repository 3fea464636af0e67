"""Publish and roll back: what readers see changes by renames alone.

All that is new is made here, copied into a hidden folder of the destination, read
again there, and only then put in place: a release first, the list of all releases
last. What a killed publisher leaves is in that folder, which the next one removes.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.hashes import hash_file
from analysis.publish.build import CRATE, MOST, NOTES, RELEASE, SIGNATURE, SUMS, Build
from analysis.publish.bundle import Bundle, make_bundle
from analysis.publish.destination import NO_FILE, STAGE, Destination, FullError
from analysis.publish.gates import reasons, superseded
from analysis.publish.release import (
    CURRENT,
    FEED,
    LLMS,
    PAGE,
    ROOT,
    Release,
    Shelf,
    check_release,
    current_id,
    damaged_error,
    differences,
    read_shelf,
    short_list,
)
from analysis.publish.site import (
    FEED_MARK,
    LIST_MARK,
    LLMS_MARK,
    changes_of,
    feed,
    list_page,
    listed_current,
    listed_editions,
    llms_text,
    pointer_page,
)
from analysis.report.beside.answers import SEARCH, SearchIndex, read_index

_CHANGES = "changes.html"  # in the stage
# What says who published it and from which commit; the rest is the release.
PUBLISHED_WITH = (NOTES, CRATE, SUMS, SIGNATURE)


@dataclass(frozen=True)
class Options:
    """How to publish; ``raw``, ``report`` and ``templates`` are folders of the project.

    ``draft`` lets a marked draft be published, ``current`` lets it take a final
    release's place. ``old`` lets a build be published after which one failed.
    ``keep`` is how many releases of an edition stay, all if None, ``wait`` how many
    seconds to wait for another publisher, and ``key`` signs.
    """

    templates: Path
    raw: Path
    draft: bool = False
    current: bool = False
    old: bool = False
    with_raw: bool = False
    keep: int | None = None
    wait: float = 60.0
    dry_run: bool = False
    key: Path | None = None
    report: Path = Path("report")


def publish(builds: Sequence[Build], to: Destination, how: Options) -> None:
    """Publish builds, if nothing speaks against any, one after the other."""
    now = dt.datetime.now(dt.UTC)
    stops = [] if how.old else [i for build in builds for i in superseded(build, now)]
    for build in builds:
        stops += reasons(build, how.draft, how.raw, how.templates)
    raise_if(stops)
    published = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        bundles = [
            make_bundle(
                build,
                published,
                scratch / build.edition,
                how.raw if how.with_raw or build.carries_raw else None,
                how.key,
                how.report,
            )
            for build in builds
        ]
        if how.dry_run:
            _foretell(bundles, to, how)
            return
        with to.lock(how.wait):
            shelf = read_shelf(to)
            _clear(shelf, to, [build.edition for build in builds])
            for path, why in shelf.unsound.items():
                print(f"note: {path} is left out: {why}")
            for bundle in bundles:
                try:
                    shelf = _publish(bundle, shelf, to, how)
                except FullError:
                    edition = bundle.release.edition
                    before = shelf.of(edition)
                    gone = removable(before, bundle.release, how.keep)
                    if not gone:
                        raise
                    _remove(gone, to, "removed to make room")
                    rest = [each for each in before if each not in gone]
                    shelf = shelf.replaced(edition, rest)
                    _show(shelf, to, how.templates)
                    shelf = _publish(bundle, shelf, to, how)


def _publish(bundle: Bundle, shelf: Shelf, to: Destination, how: Options) -> Shelf:
    """Publish one bundle, then remove what is surplus; the shelf as it is then."""
    release, changes = bundle.release, None
    before = shelf.of(release.edition)
    current = takes_over(release, before, how.current)
    anew = is_published_anew(release, before, current)
    if not (new := release.path not in shelf.places):
        # As it is there, whatever its commit was and whoever signed it.
        release = _check_same(release, shelf, to)
        files = {n: p for n, p in bundle.files.items() if n not in PUBLISHED_WITH}
        bundle = replace(bundle, files=files)
    if anew and (latest := next((r for r in before if r.current), None)):
        changes = changes_of(to, latest, bundle, how.templates)
    after = with_release(release, before, current, changes and changes[1])
    release = next(each for each in after if each.build == release.build)
    gone = surplus(after, how.keep)
    shelf = shelf.replaced(release.edition, [r for r in after if r not in gone])
    bundle = replace(bundle, release=release)
    shown = replace(bundle, files=bundle.files if new else {})
    try:
        _show(
            shelf,
            to,
            how.templates,
            release if current else None,
            shown if anew else None,
            changes and changes[0],
        )
    except UserError:
        _check_sources(bundle)
        raise
    again = ", and is the current one again" if current else ""
    done = "published" if new else f"published before{again}"
    print(f"{release.edition} {release.build}: {done}, {len(release.files)} files")
    if not release.signed:
        print("  not signed: readers cannot tell who published it; --sign KEY")
    if not current:
        print(_beside(release))
    _remove(gone, to, f"removed, {how.keep} releases are kept")
    return shelf


def _show(
    shelf: Shelf,
    to: Destination,
    templates: Path,
    current: Release | None = None,
    new: Bundle | None = None,
    changes: str | None = None,
) -> None:
    """Let readers see a shelf, on it a ``new`` release with the page of its changes.

    One without files is there already, and is only described anew. With it comes
    which release is the ``current`` one of its edition, if that changes. The list is
    renamed last: where it names another one than ``current`` leads to, the change was
    cut short.
    """
    page = list_page(shelf.releases, templates, _searched(shelf, to, new))
    texts = {PAGE: page, FEED: feed(shelf.releases, templates)}
    texts[LLMS] = llms_text(shelf.releases)
    files, hashes = dict[str, Path](), dict[str, str]()
    moves = [(LLMS, LLMS), (FEED, FEED), (PAGE, PAGE)]
    if new:
        release = new.release
        files = {f"{release.build}/{name}": path for name, path in new.files.items()}
        sums = release.files.items() if files else ()
        hashes = {f"{release.build}/{name}": digest for name, digest in sums}
        about = f"{release.build}/{RELEASE}" if files else RELEASE
        texts[about] = release.model_dump_json(indent=1)
        moved = (release.build, release.path)
        moves.insert(0, moved if files else (RELEASE, f"{release.path}/{RELEASE}"))
        if changes:
            texts[_CHANGES] = changes
            moves.insert(0, (_CHANGES, release.changes))
    with _emptied(to), tempfile.TemporaryDirectory() as scratch:
        if current:
            path = f"{ROOT}/{current.edition}/{CURRENT}"
            kind = shelf.places[path].kind if path in shelf.places else "nothing"
            linked = kind != "folder" and to.link(f"{STAGE}/{CURRENT}", current.build)
            if linked:
                hashes[CURRENT] = NO_FILE
            else:
                staged = CURRENT if kind == "folder" else f"{CURRENT}/{PAGE}"
                texts[staged] = pointer_page(current, templates)
            place = f"{path}/{PAGE}" if kind == "folder" else path
            moves.insert(-3, (CURRENT, place))
        for number, (name, text) in enumerate(texts.items()):
            files[name] = Path(scratch, str(number))
            files[name].write_bytes(text.encode())
            hashes[name] = hashlib.sha256(text.encode()).hexdigest()
        to.upload(files, STAGE)
        if bad := differences(to.hashes(STAGE), hashes):
            raise user_error(
                f"what arrived is not what was sent: {short_list(bad)}",
                f"{to.name}/{STAGE}",
                mend="see that the destination works, then publish again",
            )
        if current and kind == "link" and not linked:
            to.remove(path)  # the share is said to have no links any more
        to.move([(f"{STAGE}/{source}", target) for source, target in moves])


@contextmanager
def _emptied(to: Destination) -> Iterator[None]:
    """Remove the stage where what is done in it fails."""
    try:
        yield
    except UserError:
        with suppress(UserError):  # the first error is the one to tell
            to.remove(STAGE)
        raise


def _searched(
    shelf: Shelf, to: Destination, new: Bundle | None
) -> dict[str, SearchIndex]:
    """What the releases that the list shows first are searched by, by folder."""
    paths = {entry.shown.path for entry in listed_editions(shelf.releases)}
    texts = to.read([f"{path}/{SEARCH}" for path in sorted(paths)])
    if new and SEARCH in new.files:
        texts[f"{new.release.path}/{SEARCH}"] = new.files[SEARCH].read_bytes()
    found = {path: read_index(texts.get(f"{path}/{SEARCH}")) for path in paths}
    return {path: index or SearchIndex() for path, index in found.items()}


def _remove(releases: Iterable[Release], to: Destination, what: str) -> None:
    """Remove releases; one that is half removed cannot be seen any more."""
    for release in releases:
        to.move([(release.path, f"{STAGE}/{release.build}")])
        to.remove(f"{STAGE}/{release.build}")
        to.remove(release.changes)
        print(f"{release.edition} {release.build}: {what}")


def _foretell(bundles: Sequence[Bundle], to: Destination, how: Options) -> None:
    """Say what publishing would do."""
    shelf = read_shelf(to)
    for bundle in bundles:
        release = bundle.release
        before = shelf.of(release.edition)
        there = release.build in {each.build for each in before}
        what = "is there already" if there else f"{bundle.size / 1e6:.1f} MB to copy"
        print(f"{release.edition} {release.build}: {what}, {len(bundle.files)} files")
        current = takes_over(release, before, how.current)
        if not current:
            print(_beside(release))
        for gone in surplus(with_release(release, before, current), how.keep):
            print(f"{gone.edition} {gone.build}: would be removed")
    print(f"dry run: nothing was written to {to.name}")


def _beside(release: Release) -> str:
    why = "a draft takes no final release's place unless --current is given"
    address = f"{release.path}/{release.main}"
    return f"  at {address}, not as the current release: {why}"


def takes_over(release: Release, before: Sequence[Release], asked: bool) -> bool:
    """Whether a release becomes the current one of its edition.

    A draft does not where the current one is final, unless it is ``asked`` for.
    """
    displaces = any(each.current and not each.draft for each in before)
    return asked or not (release.draft and displaces)


def is_published_anew(
    release: Release, before: Sequence[Release], current: bool
) -> bool:
    """Whether it is the next of its edition: it is new, or comes back as the current
    one after others, which are then the ones before it."""
    there = next((each for each in before if each.build == release.build), None)
    last = max((each.sequence for each in before), default=0)
    back = current and there and not there.current and there.sequence < last
    return there is None or bool(back)


def with_release(
    release: Release, before: Sequence[Release], current: bool, news: str | None = None
) -> list[Release]:
    """The releases of an edition, newest first, once one more is published."""
    after = list(before)
    if is_published_anew(release, before, current):
        last = max((each.sequence for each in before), default=0)
        number = min(last + 1, MOST)  # whatever someone wrote into a release.json
        numbered = {"news": news, "sequence": number}
        after = [each for each in before if each.build != release.build]
        after.insert(0, release.model_copy(update=numbered))
    if not current:
        return after
    return with_current(after, release)


def with_current(releases: Sequence[Release], current: Release) -> list[Release]:
    """Releases of an edition, of which this one is the current one."""
    return [
        each.model_copy(update={"current": each.build == current.build})
        for each in releases
    ]


def surplus(releases: Sequence[Release], keep: int | None) -> list[Release]:
    """Those beyond the newest ``keep``; never the current one nor the newest final."""
    final = next((each.build for each in releases if not each.draft), None)
    beyond = releases[keep:] if keep else ()
    return [each for each in beyond if not each.current and each.build != final]


def removable(
    before: Sequence[Release], release: Release, keep: int | None
) -> list[Release]:
    """What may go before a release has come; nothing without a current one."""
    if not any(each.current for each in before):
        return []
    final = next((each.build for each in before if not each.draft), None)
    beyond = surplus(with_release(release, before, current=False), keep)
    return [each for each in beyond if each.build not in (release.build, final)]


def roll_back(editions: Sequence[str], id: str, to: Destination, how: Options) -> None:
    """Make the release ``id``, or the one before if empty, the current one.

    A :class:`UserError` where there is none, or where it is damaged.
    """
    release = _chosen(read_shelf(to), to, editions, id)
    check_release(to, release)  # nothing is made where nothing is
    if how.dry_run:
        print(f"{release.edition}: would roll back to {release.build}")
        return
    with to.lock(how.wait):
        shelf = read_shelf(to)
        release = _chosen(shelf, to, editions, id)
        _clear(shelf, to, [release.edition])
        check_release(to, release)
        releases = with_current(shelf.of(release.edition), release)
        _show(shelf.replaced(release.edition, releases), to, how.templates, release)
    print(f"{release.edition}: rolled back to {release.build}")


def _chosen(shelf: Shelf, to: Destination, editions: Sequence[str], id: str) -> Release:
    """The release to roll back to: the one named, or the one before the current."""
    names = editions or sorted({release.edition for release in shelf.releases})
    releases = [release for release in shelf.releases if release.edition in names]
    known = ", ".join(release.build for release in releases) or "none"
    if id:
        for path, why in shelf.unsound.items():
            edition, build = path.split("/")[1:]
            if build == id and edition in (editions or [edition]):
                raise damaged_error(to, path, [why])
        chosen = [release for release in releases if release.build == id]
        none = f"there is no release {id}; releases here: {known}"
    else:
        if len({release.edition for release in releases}) > 1:
            raise user_error(
                f"there are several editions: {', '.join(names)}",
                mend="name one: --edition NAME",
            )
        chosen = _interrupted(shelf, releases) or _before_current(releases)
        none = f"there is no release to roll back to; releases here: {known}"
    if not chosen:
        mend = "see them with --list; name one, as for a draft: --rollback ID"
        raise user_error(none, mend=mend)
    return chosen[0]


def _interrupted(shelf: Shelf, releases: Sequence[Release]) -> list[Release]:
    """The current release where the list page, which follows, has a newer one."""
    listed = listed_current(shelf.texts.get(PAGE, b""))
    return [
        now
        for now in releases
        for shown in releases
        if now.current and shown.build == listed.get(shown.edition)
        if now.order < shown.order
    ]


def _before_current(releases: Sequence[Release]) -> list[Release]:
    """What was published before the current one; before a final one only final ones."""
    current = next((release for release in releases if release.current), None)
    return [
        release
        for release in releases
        if current
        and release.order < current.order
        and (current.draft or not release.draft)
    ]


def _clear(shelf: Shelf, to: Destination, editions: Iterable[str]) -> None:
    """Remove what a killed publisher left.

    A :class:`UserError` where something foreign stands in the way.
    """
    foreign = []
    for path in (ROOT, *(f"{ROOT}/{edition}" for edition in editions)):
        if path in shelf.places and shelf.places[path].kind != "folder":
            foreign.append(path)
        if path != ROOT and not _is_pointer(shelf, path):
            foreign.append(f"{path}/{CURRENT}")
    what = "something that is no release stands in the way"
    mend = "move it elsewhere, or publish to another folder"
    raise_if([Issue(what, Place(f"{to.name}/{path}"), mend) for path in foreign])
    for name, mark in ((PAGE, LIST_MARK), (FEED, FEED_MARK), (LLMS, LLMS_MARK)):
        if name in shelf.places and mark not in shelf.texts.get(name, b""):
            what = "a page that is not ours stands in the way"
            raise user_error(what, f"{to.name}/{name}", mend=mend)
    to.remove(STAGE)


def _is_pointer(shelf: Shelf, folder: str) -> bool:
    """Whether ``current`` is absent, a link, or a folder with our page or nothing."""
    path = f"{folder}/{CURRENT}"
    kind = shelf.places[path].kind if path in shelf.places else "link"
    if f"{path}/{PAGE}" not in shelf.places:
        return kind in ("link", "folder")
    edition = folder.rpartition("/")[2]
    return current_id(shelf.places, shelf.texts, edition) is not None


def _check_same(release: Release, shelf: Shelf, to: Destination) -> Release:
    """The release with the files that it has already, whoever signed them.

    A :class:`UserError` where what has the build's name is another release.
    """
    where = f"{to.name}/{release.path}"
    there = [each for each in shelf.releases if each.path == release.path]
    if not there:
        what = "a folder that is no release has the name of this build"
        mend = "move it elsewhere, then publish again"
        raise user_error(what, where, mend=mend)
    check_release(to, there[0])
    whose = dict.fromkeys(PUBLISHED_WITH, "")
    files = [each.files | whose for each in (there[0], release)]
    if files[0] != files[1]:
        what = "this build is published already, with other files"
        mend = "publish with the same options as then (--with-raw), or remove it"
        raise user_error(what, where, mend=mend)
    return release.model_copy(update={"files": there[0].files})


def _check_sources(bundle: Bundle) -> None:
    """A :class:`UserError` where the build is no longer what was to be published."""
    for name, path in bundle.files.items():
        if not path.is_file() or hash_file(path) != bundle.release.files[name]:
            raise user_error(
                "the build changed while it was published",
                path,
                mend="wait until 'make report' has ended, then publish again",
            )
