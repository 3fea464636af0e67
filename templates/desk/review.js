import { arrived, keptArea, post, problem, reload } from "./ask.js";

// Approves what this page shows, or sends it back with a reason.
const said = document.getElementById("said");
arrived(said);
for (const button of document.querySelectorAll("button.approve"))
  button.addEventListener("click", async () => {
    const row = button.closest("li");
    const { id, stamp } = row.dataset;
    button.disabled = true;
    const [status, answer] = await post("approve", { id, stamp });
    if (status === 200) return reload(`Approved: ${row.querySelector("h2").textContent}.`, row.id);
    button.disabled = false;
    tell(
      status === 409
        ? "It changed while you read: load this page again and look at what changed."
        : problem(status, answer),
    );
  });

for (const form of document.querySelectorAll(".back form")) {
  const area = form.querySelector("textarea");
  const sent = keptArea(area, form.closest("li").dataset.id);
  form.closest("details").open = Boolean(area.value);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const about = form.closest("li").dataset.id;
    const [status, answer] = await post("comment", { about, words: area.value });
    if (status !== 200) return tell(problem(status, answer));
    sent();
    reload("Sent back.", form.closest("li").id);
  });
}

function tell(words) {
  said.className = "found error";
  said.textContent = words;
  said.scrollIntoView({ block: "nearest" });
}
