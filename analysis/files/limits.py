"""How much of everything is taken: one place for limits of time, size and depth.

A limit protects the build from input that would hold it up or fill the machine. Each
is far above what real texts, exports and logs need. Whoever meets one is told the
limit's name here and its value.
"""

from __future__ import annotations

KIB, MIB, GIB = 2**10, 2**20, 2**30

# Reviewed text and declarations (report/, raw/*/*.yaml)
TEXT_BYTES = 1 * MIB  # of one text or declaration
TEXT_LINE_CHARACTERS = 20_000
TEXT_BLOCK_CHARACTERS = 20_000  # in lines without a blank one, but for tables
TEXT_BRACKETS = 4  # [ that are open at once; Pandoc's time doubles with each
TEXT_QUOTES = 12  # " and ' that are open at once; its time doubles as well
TEXT_MARKS = 400  # of one kind, such as " or &, in lines without a blank one
TEXT_FENCE_CHARACTERS = 20  # ` or ~ in a row
TEXT_NESTING = 20  # lists and quotes within each other
TEXT_NOTES = 1_000  # footnotes, and citations
TEXT_CELLS = 20_000  # | of all tables
TEXT_EXPRESSIONS = 2_000  # {{ … }} in one text
EXPRESSION_CHARACTERS = 1_000  # between {{ and }}
LITERAL_CHARACTERS = 200  # of one argument of an expression
PRINTED_CHARACTERS = 1 * MIB  # of what one expression prints

TITLE_CHARACTERS = 100  # of a title or heading, which contents and page heads repeat
TITLE_WORD = 40  # characters of one word of it, which no line can break
NAME_CHARACTERS = 80  # of an edition, study, figure or campaign, dots not counted
BIBLIOGRAPHY_BRACES = 10  # within each other
DECLARATION_BYTES = 16 * MIB  # of one YAML file
YAML_DEPTH = 50  # of lists and named entries within each other
YAML_NODES = 1_000_000  # entries, those behind aliases counted each time
YAML_TEXT_CHARACTERS = 20_000  # of one entry
YAML_NUMBER_CHARACTERS = 64
LOGO_BYTES = 128 * KIB  # of a logo, which each page holds
FONT_BYTES = 4 * MIB  # of a file of a company's typeface

# Child programs (Pandoc, Typst, Quarto)
CHILD_SECONDS = 300.0  # of one call
PANDOC_BYTES = 4 * GIB  # of its heap

# Files of any kind (raw/, report/, templates/, data/)
INPUT_BYTES = 16 * GIB  # of one file, holes included
NAME_BYTES = 255  # of one name of a file or folder, as file systems have it
PATH_BYTES = 2_000  # of a path below a campaign's folder

# Raw files (raw/)
LOG_BYTES = 256 * MIB  # of one text or JSON log, which is read as a whole
COMMAND_BYTES = 8 * KIB  # of the beginning of a file, where a command may stand
LOG_LINE_CHARACTERS = 64 * KIB  # of one line of a log; JSON is no lines
SHOWN_CHARACTERS = 2_000  # of one value of a log, as inspect prints it
DATABASE_BYTES = 768 * MIB  # of memory for a database; what is more goes to files
UNPACKED_BYTES = 4 * GIB  # of one compressed file
UNPACKING_BYTES = 128 * MIB  # of memory to unpack one file; xz -9 wants 65 MiB
UNPACKED_RATIO = 1_000  # bytes out for a byte in, beyond the first MiB
TERSED_BYTES = 256 * MIB  # that one file of AMATERSE unpacks to

# Servers (preview, desk)
REQUEST_SECONDS = 10.0  # until a request must be whole
REQUEST_CONNECTIONS = 256  # at a time
REQUEST_BYTES = 2 * MIB  # of one request
REQUEST_STREAMS = 32  # pages of one person that hear of changes at a time
REQUESTS_PER_MINUTE = 1_200  # that change or check something, of one person
PART_CHARACTERS = 40_000  # of new words for one part: ten times the longest there is
GIT_SECONDS = 60.0  # of one command of Git
REMARKS_BYTES = MIB  # of the comments, or suggestions, of one folder
WORD_BYTES = 64 * MIB  # of a DOCX that came back
WORD_UNPACKED_BYTES = 512 * MIB  # of all that is packed in it

# Publishing
DOCUMENT_BYTES = 64 * MIB  # of manifest.json, provenance.json or release.json
HOST_SECONDS = 600.0  # until a host has answered one command over ssh
UPLOAD_SECONDS = 6 * 3600.0  # of one release to a host
