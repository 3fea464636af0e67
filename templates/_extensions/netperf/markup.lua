--- Figures, tables, notes and headings in the markup of the house, for both engines.
-- `numbers.lua` calls it where Pandoc works alone, `quarto.lua` where Quarto does.

local house = {}
local html = FORMAT:match 'html' ~= nil
local typst = FORMAT == 'typst'

local function html_text(text)
  local marks = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;' }
  return (text:gsub('[&<>"]', marks))
end

local function typst_string(text) return '"' .. text:gsub('[\\"]', '\\%0') .. '"' end

local function data_uri(path)
  local type, bytes = pandoc.mediabag.fetch(path)
  return pandoc.mediabag.make_data_uri(type, bytes)
end

--- A picture as HTML; of a drawing of the build the mark that it is put in place of.
local function picture(image, alt)
  local tag, source = '<img src="%s" alt="%s">', image.src
  local file = quarto and io.open(source .. '.html')
  if file then file:close() end
  if source:match '%.svg$' and (file or not quarto) then
    tag = '<svg data-drawing="%s" aria-label="%s"></svg>'
  else
    source = data_uri(source)
  end
  return tag:format(html_text(source), html_text(alt))
end

--- The file of a picture that a format can show: office programs draw no SVG alike.
local function drawn(source)
  local png = source:gsub('%.svg$', '.png')
  local file = FORMAT == 'docx' and io.open(png)
  if file then file:close() end
  return file and png or source
end

--- A caption that begins with the name and number of its figure or table. Word has
--- marks for passages alone, so there the number bears the anchor.
local function labelled(caption, label, element)
  if not label then return caption end
  local anchor = ''
  if not html then
    anchor, element.identifier = element.identifier, ''
  end
  caption:insert(1, pandoc.Span(label, pandoc.Attr(anchor, { 'label' })))
  caption:insert(2, pandoc.Space())
  return caption
end

--- What follows the content of a figure of Typst's.
local function end_of_figure(id, caption, part)
  local kind = part
      and 'kind: "part", supplement: [Figure], numbering: _ => [' .. part .. '], '
    or 'kind: image, ' .. (id:match '^fig%-' and '' or 'numbering: none, ')
  local parts = pandoc.Inlines { pandoc.RawInline('typst', kind .. 'caption: [') }
  parts:extend(caption)
  parts:insert(
    pandoc.RawInline('typst', '])' .. (id ~= '' and ' <' .. id .. '>' or ''))
  )
  return parts
end

local function figure_typst(id, image, alt, caption, part)
  local width = image.attributes.width or '100%'
  local call = '#figure(image(%s, width: %s, alt: %s), '
  local head = call:format(typst_string(image.src), width, typst_string(alt))
  local parts = pandoc.Inlines { pandoc.RawInline('typst', head) }
  parts:extend(end_of_figure(id, caption, part))
  return pandoc.Para(parts)
end

--- A figure of several that are figures already.
function house.panel(figure, label)
  local caption = pandoc.utils.blocks_to_inlines(figure.caption.long)
  if not typst then
    figure.caption.long = { pandoc.Plain(labelled(caption, label, figure)) }
    return figure
  end
  local parts = pandoc.Blocks { pandoc.RawBlock('typst', '#figure([') }
  parts:extend(figure.content)
  parts:insert(pandoc.RawBlock('typst', '],'))
  parts:insert(pandoc.Plain(end_of_figure(figure.identifier, caption)))
  return parts
end

--- A figure of one picture; `label` is its name and number, which Typst counts itself,
--- but for that of a `part` of a figure.
function house.figure(figure, label, part)
  local image
  figure:walk { Image = function(found) image = found end }
  if not image then return nil end
  local caption = pandoc.utils.blocks_to_inlines(figure.caption.long)
  local alt = image.attributes['fig-alt'] or pandoc.utils.stringify(caption)
  if typst then return figure_typst(figure.identifier, image, alt, caption, part) end
  figure.caption.long = { pandoc.Plain(labelled(caption, label, figure)) }
  if html then
    figure.content = { pandoc.RawBlock('html', picture(image, alt)) }
  else
    image.src, image.caption = drawn(image.src), pandoc.Inlines(alt)
    image.attributes['fig-alt'] = nil
    figure.content = { pandoc.Plain { image } }
  end
  return figure
end

function house.table(element, label)
  if typst then return nil end
  local caption = pandoc.utils.blocks_to_inlines(element.caption.long)
  if #caption > 0 then
    element.caption.long = { pandoc.Plain(labelled(caption, label, element)) }
  end
  if not html then return element, false end
  return pandoc.Div({ element }, { class = 'table-scroll' }), false
end

--- A figure and the links to its data become one card.
function house.cards(blocks)
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

--- A note of a tone: its title, inlines, and its body, blocks.
function house.note(tone, title, body, id)
  if typst then
    local head = pandoc.Inlines {
      pandoc.RawInline('typst', '#note-box(' .. typst_string(tone) .. ')['),
    }
    head:extend(title)
    head:insert(pandoc.RawInline('typst', ']['))
    local parts = pandoc.Blocks { pandoc.Plain(head) }
    parts:extend(body)
    parts:insert(pandoc.RawBlock('typst', ']'))
    return parts
  end
  local parts =
    pandoc.Blocks { pandoc.Div(pandoc.Plain(title), { class = 'note-title' }) }
  parts:extend(body)
  return pandoc.Div(
    parts,
    pandoc.Attr(
      id or '',
      { 'note-box', tone },
      { role = 'note', ['custom-style'] = FORMAT == 'docx' and 'Note' or nil }
    )
  )
end

--- A line that stays with what follows it.
function house.above(line)
  if not typst then return pandoc.Para(line) end
  local begin = pandoc.RawInline('typst', '#block(sticky: true)[')
  return pandoc.Para { begin, line, pandoc.RawInline('typst', ']') }
end

--- The title of a note that has none of its own.
function house.note_title(tone) return pandoc.Inlines((tone:gsub('^%l', string.upper))) end

-- Anchors that mean something to the page; a heading may get one from its words.
local starts =
  { 'trace', 'fact', 'average', 'fig', 'tbl', 'ref', 'fn%d*', 'fnref%d*', 'cb%d*' }
local names = {
  text = true,
  contents = true,
  search = true,
  found = true,
  theme = true,
  refs = true,
  footnotes = true,
  ['found-count'] = true,
  ['enlarged-name'] = true,
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

--- ‘Figure 3’ by the id of each figure and table, where the engine tells them.
function house.labels()
  local file = io.open('labels.json', 'rb')
  if not file then return {} end
  local found = pandoc.json.decode(file:read 'a', false)
  file:close()
  return found
end

--- Blocks whose headings make room for the page: its title is the only one of the
--- first level, and none takes an anchor that means something to it.
function house.headings(blocks)
  blocks = blocks:walk { Header = own_anchor }
  return blocks:walk { Link = to_own_anchor }
end

--- A heading one level deeper, where the page's title stands above it.
function house.lower(header)
  if not html then return nil end
  header.level = header.level + 1
  return header
end

return house
