--- Terms of the field in the page: the first of each section leads to its meaning.

local written = {} -- term → the anchor of its entry in the glossary
local starts = {} -- first word of a term of several words → these terms
local seen = {} -- anchors that the current section leads to already

local function read_terms()
  local file = io.open('glossary.json', 'rb')
  if not file then return false end
  local found = pandoc.json.decode(file:read 'a', false)
  file:close()
  for term, anchor in pairs(found) do
    local first = term:match '^(%S+) '
    if first then
      starts[first] = starts[first] or pandoc.List {}
      starts[first]:insert(term)
    else
      written[term] = anchor
    end
  end
  return found
end

--- A link to a term's entry, or nothing where the section has one already.
local function link(text, anchor)
  if seen[anchor] then return nil end
  seen[anchor] = true
  return pandoc.Link(text, '#' .. anchor, '', { class = 'term' })
end

--- The anchor of a word, which may be a plural.
local function anchor_of(word)
  return written[word] or written[word:match '^(.*%u)s$' or '']
end

--- The inlines of one string, with its terms as links.
local function split(text)
  local result, done, from = pandoc.Inlines {}, 1, 1
  while true do
    local first, last = text:find('[%w-]+', from)
    if not first then break end
    local word = text:sub(first, last):gsub('%-+$', '')
    local anchor = anchor_of(word)
    -- A slash joins words to one name, as in z/OS, and so does a point within.
    local joined = text:sub(first - 1, first - 1):match '[/.@]'
      or text:match('^[/.@(]%w', first + #word)
    local found = anchor and not joined and link(word, anchor)
    if found then
      if first > done then result:insert(pandoc.Str(text:sub(done, first - 1))) end
      result:insert(found)
      done = first + #word
    end
    from = last + 1
  end
  if done <= #text then result:insert(pandoc.Str(text:sub(done))) end
  return result
end

--- How many inlines from the one at ``index`` on spell a term, and what follows it.
local function spelt(inlines, index, term)
  local at = index
  for word, gap in term:gmatch '(%S+)( ?)' do
    local inline = inlines[at]
    if not inline or inline.t ~= 'Str' then return nil end
    if gap == '' then
      local tail = inline.text:sub(#word + 1)
      if inline.text:sub(1, #word) == word and not tail:match '^[%w-]' then
        return at - index + 1, tail
      end
      return nil
    end
    local space = inlines[at + 1]
    if
      inline.text ~= word
      or not space
      or not space.t:match 'Space' and space.t ~= 'SoftBreak'
    then
      return nil
    end
    at = at + 2
  end
end

local function several(inlines, index, anchors)
  for _, term in ipairs(starts[inlines[index].text] or {}) do
    local count, tail = spelt(inlines, index, term)
    local found = count and link(term, anchors[term])
    if found then return found, count, tail end
  end
end

local anchors = read_terms()

local function mark(inlines)
  local result, index = pandoc.Inlines {}, 1
  while index <= #inlines do
    local inline = inlines[index]
    local found, count, tail
    if inline.t == 'Str' then
      found, count, tail = several(inlines, index, anchors)
    end
    if found then
      result:insert(found)
      if tail ~= '' then result:insert(pandoc.Str(tail)) end
      index = index + count
    elseif inline.t == 'Str' then
      result:extend(split(inline.text))
      index = index + 1
    else
      result:insert(inline)
      index = index + 1
    end
  end
  return result
end

local plain = pandoc.List {
  'value',
  'average',
  'verdict',
  'chip',
  'citation',
  'label',
  'note-title',
  'chips',
  'figure-card',
  'figure-links',
  'table-scroll',
  'table-wide',
  'at-a-glance',
  'summary',
  'edit-link',
  'reviewed',
  'found',
  'table-notes',
  'facts',
  'csl-entry',
  'references',
}

local function keep(element) return element, false end

local function unless_plain(element)
  for _, class in ipairs(element.classes) do
    if plain:includes(class) then return element, false end
  end
end

local glossary = false -- whether the section is the glossary itself

local terms = {
  traverse = 'topdown',
  Header = function(header)
    seen = {}
    glossary = header.identifier == 'sec-glossary'
    return header, false
  end,
  Inlines = function(inlines)
    if not glossary then return mark(inlines) end
  end,
  Div = unless_plain,
  Span = unless_plain,
  Table = keep,
  Figure = keep,
  Link = keep,
  Cite = keep,
  Note = keep,
  Image = keep,
}

local prose = {
  Header = true,
  Para = true,
  Plain = true,
  Div = true,
  BlockQuote = true,
  BulletList = true,
  OrderedList = true,
  DefinitionList = true,
}

--- The glossary as paragraphs: Typst parts a term from its meaning at the end of a page.
local function paragraphs(list)
  return list.content:map(function(item)
    local text = pandoc.Inlines { pandoc.Strong(item[1]), pandoc.Space() }
    text:extend(pandoc.utils.blocks_to_inlines(item[2][1]))
    return pandoc.Para(text)
  end)
end

local function for_typst(blocks)
  local result, inside = pandoc.Blocks {}, false
  for _, block in ipairs(blocks) do
    if block.t == 'Header' then inside = block.identifier == 'sec-glossary' end
    if inside and block.t == 'DefinitionList' then
      result:extend(paragraphs(block))
    else
      result:insert(block)
    end
  end
  return result
end

--- Whether a folded review begins or ends, or something stands for one that is kept:
-- it parts its section, as either side is rendered without the other.
local function apart(block)
  if block.t == 'RawBlock' then
    return block.text == '</details>' or block.text:match '^<details class="workshop"'
  end
  local only = block.t == 'Para' and #block.content == 1 and block.content[1]
  return only and only.t == 'Str' and only.text:match '^kept%x+h%d+x$'
end

--- The text alone: what the metadata say stands in places where no link may be.
-- Tables and raw parts are most of a document, and are not handed over at all.
function Pandoc(doc)
  if not anchors then return nil end
  if FORMAT == 'typst' then
    doc.blocks = for_typst(doc.blocks)
    return doc
  end
  if not FORMAT:match 'html' then return nil end
  local blocks = pandoc.Blocks {}
  for _, block in ipairs(doc.blocks) do
    if apart(block) then seen = {} end
    if prose[block.t] then
      blocks:extend(pandoc.Blocks({ block }):walk(terms))
    else
      blocks:insert(block)
    end
  end
  doc.blocks = blocks
  return doc
end
