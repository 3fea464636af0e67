"""A mail a day to whoever something waits for: off, where a team declares no ``mail``.

It says which reviews of which editions wait, and which threads others answered, with a
link to the first of them. Who waits for nothing gets none.
"""

from __future__ import annotations

import datetime as dt
import os
import smtplib
import time
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from typing import NoReturn

from analysis.errors import UserError
from analysis.facts.units import how_many
from analysis.report.desk.desk import Desk
from analysis.report.desk.people import Member, Team
from analysis.report.desk.reviews import waiting_for

_PASSWORD = "NETPERF_SMTP_PASSWORD"  # noqa: S105 - the name of the variable
_SECONDS = 30.0  # of a server that does not answer
_MINUTE = 60.0


def send_daily(desk: Desk) -> NoReturn:
    """Send a digest at the hour that the team names, for ever."""
    sent = dt.datetime.now().astimezone().date()  # a start sends none
    while True:
        time.sleep(_MINUTE)
        now, team = dt.datetime.now().astimezone(), desk.team and desk.team.now()
        if team and team.mail and now.date() != sent and now.hour >= team.mail.hour:
            sent = now.date()
            desk.mailing = send(desk, team)


def send(desk: Desk, team: Team) -> str:
    """Send each member what waits for them; why it could not be sent, or nothing."""
    if team.mail is None:
        return ""
    letters = list(digests(desk, team))
    if not letters:
        return ""
    try:
        with smtplib.SMTP(team.mail.server, team.mail.port, timeout=_SECONDS) as server:
            if team.mail.starttls:
                server.starttls()
            if team.mail.user:
                server.login(team.mail.user, os.environ.get(_PASSWORD, ""))
            for letter in letters:
                server.send_message(letter)
    except (OSError, smtplib.SMTPException) as error:
        return f"no mail was sent by {team.mail.server}: {error}"
    return ""


def digests(desk: Desk, team: Team) -> Iterator[EmailMessage]:
    """The mails to those for whom something waits."""
    people: Mapping[str, Member] = {one.email: one for one in team.people.values()}
    for member in people.values():
        lines = []
        for id, live in desk.lives.items():
            try:
                waits, answered = waiting_for(live, member.name)
            except UserError:
                continue  # it cannot be shown: the list of drafts says why
            if waits:
                titles = ", ".join(row.title for row in waits)
                lines.append(f"{live.title}: to read and approve: {titles}")
            if answered:
                lines.append(f"{live.title}: {how_many(answered, 'thread')} answered")
            if waits or answered:
                lines.append(f"  {team.scheme}://{team.host}/e/{id}/next\n")
        if lines and team.mail:
            letter = EmailMessage()
            letter["From"], letter["To"] = team.mail.sender, member.email
            letter["Subject"] = "What waits for you at the desk"
            letter.set_content("\n".join(lines))
            yield letter
