--- Numbers, cross-references, figures and callouts for Pandoc, as Quarto makes them.
-- Under Quarto this filter is not used: Quarto does all of it by itself.

local html = FORMAT:match 'html' ~= nil
local typst = FORMAT == 'typst'
local words = { fig = 'Figure', tbl = 'Table', sec = 'Section' }
local labels = {} -- id → { word = 'Figure', number = '3' }

local function kind(id)
  return id:match '^(%a+)%-'
end

--- Numbers of all sections, figures and tables, in the order of the document.
local callout
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
    Div = function(div) return callout(div) end,
    Figure = count,
    Table = count,
    Header = function(header)
      local name = { word = pandoc.utils.stringify(header.content) }
      if not header.classes:includes 'unnumbered' then
        sections[header.level] = sections[header.level] + 1
        for deeper = header.level + 1, 6 do sections[deeper] = 0 end
        name = { word = words.sec, number = table.concat(sections, '.', 1, header.level) }
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

local function html_text(text)
  local marks = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }
  return (text:gsub('[&<>"]', marks))
end

local function typst_string(text)
  return '"' .. text:gsub('[\\"]', '\\%0') .. '"'
end

local function data_uri(path)
  local type, bytes = pandoc.mediabag.fetch(path)
  return pandoc.mediabag.make_data_uri(type, bytes)
end

--- A picture as HTML; of a drawing the mark that the engine puts it in place of.
local function picture(image, alt)
  local tag, source = '<img src="%s" alt="%s">', image.src
  if source:match '%.svg$' then
    tag = '<svg data-drawing="%s" aria-label="%s"></svg>'
  else
    source = data_uri(source)
  end
  return tag:format(html_text(source), html_text(alt))
end

local function numbered(id, caption)
  if not labels[id] then return caption end
  local mark = pandoc.Span(label(id), { class = 'label' })
  caption:insert(1, mark)
  caption:insert(2, pandoc.Space())
  return caption
end

local function figure_typst(figure, image, alt, caption)
  local width = image.attributes.width or '100%'
  local call = '#figure(image(%s, width: %s, alt: %s), kind: image, caption: ['
  local parts = pandoc.Inlines {}
  local head = call:format(typst_string(image.src), width, typst_string(alt))
  parts:insert(pandoc.RawInline('typst', head))
  parts:extend(caption)
  parts:insert(pandoc.RawInline('typst', ']) <' .. figure.identifier .. '>'))
  return pandoc.Para(parts)
end

local function draw(figure)
  local image
  figure:walk { Image = function(found) image = found end }
  if not image then return nil end
  local alt = image.attributes['fig-alt'] or pandoc.utils.stringify(image.caption)
  local caption = pandoc.utils.blocks_to_inlines(figure.caption.long)
  if typst then return figure_typst(figure, image, alt, caption) end
  if not html then return nil end
  figure.caption.long = { pandoc.Plain(numbered(figure.identifier, caption)) }
  figure.content = { pandoc.RawBlock('html', picture(image, alt)) }
  return figure
end

local function tabulate(element)
  if not html then return nil end
  local caption = pandoc.utils.blocks_to_inlines(element.caption.long)
  if #caption > 0 then
    element.caption.long = { pandoc.Plain(numbered(element.identifier, caption)) }
  end
  return pandoc.Div({ element }, { class = 'table-scroll' }), false
end

--- A figure and the links to its data become one card.
local function card(blocks)
  local result = pandoc.Blocks {}
  for _, block in ipairs(blocks) do
    local last = result[#result]
    local links = block.t == 'Div' and block.classes:includes 'figure-links'
    if html and links and last and last.t == 'Figure' then
      result[#result] = pandoc.Div({ last, block }, { class = 'figure-card' })
    else
      result:insert(block)
    end
  end
  return result
end

--- Title and body of a callout; its heading is not a section of the document.
function callout(div)
  local tone
  for _, class in ipairs(div.classes) do tone = tone or class:match '^callout%-(%a+)$' end
  if not tone then return nil end
  local first, title = div.content[1], pandoc.Inlines(tone:gsub('^%l', string.upper))
  if first and first.t == 'Header' then
    title = first.content
    div.content:remove(1)
  end
  if typst then
    local head = pandoc.Inlines { pandoc.RawInline('typst', '#note-box(' .. typst_string(tone) .. ')[') }
    head:extend(title)
    head:insert(pandoc.RawInline('typst', ']['))
    div.content:insert(1, pandoc.Plain(head))
    div.content:insert(pandoc.RawBlock('typst', ']'))
    return div.content
  end
  div.classes = { 'note-box', tone }
  div.attributes.role = 'note'
  div.content:insert(1, pandoc.Div(pandoc.Plain(title), { class = 'note-title' }))
  return div
end

local function lower(header)
  header.level = header.level + 1
  return header
end

-- Anchors that mean something to the page; a heading may get one from its words.
local starts = { 'trace', 'fact', 'average', 'fig', 'tbl', 'ref', 'fn%d*', 'fnref%d*', 'cb%d*' }
local names = {
  text = true, contents = true, search = true, found = true, theme = true, refs = true,
  footnotes = true, ['found-count'] = true, ['enlarged-name'] = true,
}

local function own_anchor(header)
  local id = header.identifier
  local taken = names[id]
  for _, start in ipairs(starts) do
    taken = taken or id:match('^' .. start .. '%-') or id:match('^' .. start .. '$')
  end
  if not taken then return nil end
  header.identifier = 'part-' .. id
  if names[id] then names[id] = header.identifier end
  return header
end

--- A link by the words of a heading follows it to its anchor.
local function to_own_anchor(link)
  local moved = names[link.target:match '^#(.*)$' or '']
  if type(moved) ~= 'string' then return nil end
  link.target = '#' .. moved
  return link
end

function Pandoc(doc)
  doc.blocks = doc.blocks:walk { Header = own_anchor }
  doc.blocks = doc.blocks:walk { Link = to_own_anchor }
  doc.blocks = number(doc.blocks)
  known(doc.meta.labels or {})
  -- The page's title is its only heading of the first level.
  doc.blocks = doc.blocks:walk {
    Cite = refer,
    Header = html and lower or nil,
    Figure = draw,
    Table = tabulate,
    Blocks = card,
  }
  return doc
end
