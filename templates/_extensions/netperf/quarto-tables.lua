--- Tables without the classes that Quarto's own page and PDF need.

local function bare(rows)
  for _, row in ipairs(rows) do
    row.classes = {}
  end
  return rows
end

function Table(element)
  local added = { ['caption-top'] = true, ['typst:no-figure'] = true }
  element.classes = element.classes:filter(function(class) return not added[class] end)
  bare(element.head.rows)
  bare(element.foot.rows)
  for _, body in ipairs(element.bodies) do
    bare(body.body)
  end
  return element
end
