--- Numbers and cross-references for Pandoc, as Quarto makes them.
-- Under Quarto `quarto.lua` stands in place of this filter: Quarto numbers by itself.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local house = dofile(pandoc.path.join { here, 'markup.lua' })
local words = { fig = 'Figure', tbl = 'Table', sec = 'Section' }
local labels = {} -- id → { word = 'Figure', number = '3' }

local function kind(id) return id:match '^(%a+)%-' end

--- Title and body of a callout; its heading is not a section of the document.
local function callout(div)
  local tone
  for _, class in ipairs(div.classes) do
    tone = tone or class:match '^callout%-(%a+)$'
  end
  if not tone then return nil end
  local first, title = div.content[1], house.note_title(tone)
  if first and first.t == 'Header' then
    title = first.content
    div.content:remove(1)
  end
  return house.note(tone, title, div.content, div.identifier)
end

--- Numbers of all sections, figures and tables, in the order of the document.
local function number(blocks)
  local counts, sections = { fig = 0, tbl = 0 }, { 0, 0, 0, 0, 0, 0 }
  local function count(element)
    local own = kind(element.identifier)
    if counts[own] then
      counts[own] = counts[own] + 1
      labels[element.identifier] = { word = words[own], number = tostring(counts[own]) }
    end
  end
  return blocks:walk {
    traverse = 'topdown',
    Div = callout,
    Figure = count,
    Table = count,
    Header = function(header)
      local name = { word = pandoc.utils.stringify(header.content) }
      if not header.classes:includes 'unnumbered' then
        sections[header.level] = sections[header.level] + 1
        for deeper = header.level + 1, 6 do
          sections[deeper] = 0
        end
        name =
          { word = words.sec, number = table.concat(sections, '.', 1, header.level) }
      end
      labels[header.identifier] = name
    end,
  }
end

--- Numbers that a part of a document has in the whole of it.
local function known(given)
  for id, text in pairs(given) do
    text = pandoc.utils.stringify(text)
    local word, own = text:match '^(%a+)\u{a0}(.+)$'
    labels[id] = { word = word or text, number = own }
  end
end

local function label(id, bare)
  local found = labels[id]
  if not found then error('no target for the reference @' .. id) end
  if not found.number then return found.word end
  return bare and found.number or (found.word .. '\u{a0}' .. found.number)
end

--- ‘@fig-x’ becomes a link with the figure's number; other citations stay.
local function refer(cite)
  local links = pandoc.Inlines {}
  for index, citation in ipairs(cite.citations) do
    if not words[kind(citation.id) or ''] then return nil end
    if index > 1 then links:insert(pandoc.Str ', ') end
    local text = label(citation.id, citation.mode == 'SuppressAuthor')
    links:insert(pandoc.Link(text, '#' .. citation.id, '', { class = 'reference' }))
  end
  return links
end

--- The number of a figure or table that stands in its caption.
local function own_label(element)
  return labels[element.identifier] and label(element.identifier)
end

function Pandoc(doc)
  doc.blocks = number(house.headings(doc.blocks))
  known(doc.meta.labels or {})
  doc.blocks = doc.blocks:walk {
    Cite = refer,
    Header = house.lower,
    Figure = function(figure) return house.figure(figure, own_label(figure)) end,
    Table = function(element) return house.table(element, own_label(element)) end,
    Blocks = house.cards,
  }
  return doc
end
