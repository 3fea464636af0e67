--- Formats of Quarto's that the extension does not have: pictures, or that there is none.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local drawn = [[#set page(width: 170mm, height: auto, margin: 0pt, fill: white)
#image("%s", width: 100%%)
]]

if FORMAT:match 'latex' or FORMAT:match 'beamer' or FORMAT:match 'context' then
  io.stderr:write 'ERROR: no PDF by LaTeX here: quarto render --to netperf-typst\n'
  os.exit(1)
end

local function is_file(path)
  local file = io.open(path, 'rb')
  return file and file:close()
end

--- The picture of a drawing beside it, by the Typst that Quarto has.
local function made(svg)
  local png, source = svg:gsub('%.svg$', '.png'), svg .. '.typ'
  if is_file(png) then return png end
  local folder, name = pandoc.path.directory(svg), pandoc.path.filename(svg)
  local file = assert(io.open(source, 'w'), 'cannot write ' .. source)
  file:write(drawn:format(name))
  file:close()
  local fonts = pandoc.path.join { here, 'fonts' }
  local options = { 'typst', 'compile', '--root', folder, '--font-path', fonts }
  for _, option in ipairs { '--format', 'png', '--ppi', '200', source, png } do
    table.insert(options, option)
  end
  local done, said = pcall(pandoc.pipe, quarto.config.cli_path(), options, '')
  os.remove(source)
  assert(done, 'Typst cannot draw ' .. svg .. ': ' .. tostring(said))
  return png
end

--- Notes in the margin stand where they are written: pages here have none for them.
function Div(div)
  div.classes = div.classes:filter(function(class) return class ~= 'column-margin' end)
  return div
end

local cover = dofile(pandoc.path.join { here, 'cover.lua' })[1].Pandoc

--- What a report is begins each format; those of the extension, which alone have its
--- style of citations, say it themselves.
function Pandoc(doc)
  local plain = doc.meta.origins and not doc.meta.csl and not doc.meta.slides
  return plain and cover(doc) or nil
end

function Image(image)
  local page = FORMAT:match 'html' or FORMAT:match 'typst'
  if page or not image.src:match '%.svg$' then return nil end
  image.src = made(image.src)
  return image
end
