--- What the cover of the page says, at the head of a document that has no template.

local function text(value) return value and pandoc.utils.stringify(value) or '' end

local function about(meta)
  local origins = pandoc.List(meta.origins or {}):map(text)
  local number = meta.number and ', number ' .. text(meta.number) or ''
  local told = {
    'Edition ' .. text(meta.edition) .. number,
    'Status: ' .. text(meta.status),
    'Origin of values: ' .. table.concat(origins, ', '),
    'Build ' .. text(meta.build),
  }
  if meta.sizes then table.insert(told, 4, 'Sizes: ' .. text(meta.sizes)) end
  return pandoc.Para(pandoc.Inlines(table.concat(told, ' · ')))
end

--- The logo of a brand; the build made a picture of pixels of it.
local function logo()
  local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
  local picture = pandoc.path.join { here, 'logo.png' }
  local file = io.open(picture) and io.open(pandoc.path.join { here, 'logo.txt' })
  if not file then return pandoc.Blocks {} end
  local size = pandoc.Attr('', {}, { height = '14mm' })
  local image = pandoc.Image(file:read 'a', picture, '', size)
  file:close()
  return pandoc.Blocks { pandoc.Para { image } }
end

local function cover(doc)
  local head = logo()
  head:insert(about(doc.meta))
  if doc.meta.banner then
    local banner = pandoc.Para { pandoc.Strong(pandoc.Inlines(text(doc.meta.banner))) }
    head:insert(pandoc.Div(banner, pandoc.Attr('', {}, { ['custom-style'] = 'Note' })))
  end
  if doc.meta.headline then
    head:insert(pandoc.Para(pandoc.Inlines(text(doc.meta.headline))))
  end
  doc.meta['toc-title'] = pandoc.Inlines 'Contents'
  doc.meta.date = doc.meta['date-text']
  head:extend(doc.blocks)
  doc.blocks = head
  return doc
end

return { { Pandoc = cover } }
