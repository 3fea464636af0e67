--- References to figures and tables whose numbers the engine knows.
-- It leaves out parts that did not change, and Quarto would find no target in them.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local labels = dofile(pandoc.path.join { here, 'markup.lua' }).labels()

function Cite(cite)
  local links = pandoc.Inlines {}
  for index, citation in ipairs(cite.citations) do
    local text = labels[citation.id]
    if not text then return nil end
    if citation.mode == 'SuppressAuthor' then text = text:match '[%d.]+$' end
    if index > 1 then links:insert(pandoc.Str ', ') end
    links:insert(pandoc.Link(text, '#' .. citation.id, '', { class = 'reference' }))
  end
  return links
end
