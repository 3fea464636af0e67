// Replies to threads and resolves them, accepts and declines suggestions.
import { arrived, keptArea, post, problem, reload } from "./ask.js";

const said = document.getElementById("said");
arrived(said);
for (const form of document.querySelectorAll("form.reply")) {
  const area = form.querySelector("textarea");
  const sent = keptArea(area, form.closest("li").dataset.thread);
  form.querySelector("details").open = Boolean(area.value);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { state } = event.submitter.dataset;
    const { about, thread } = form.closest("li").dataset;
    const words = area.value.trim() || event.submitter.textContent;
    const [status, answer] = await post("comment", { about, thread, words, state });
    if (status === 200) sent();
    told(
      status,
      answer,
      { Reply: "Replied.", Resolve: "Resolved." }[event.submitter.textContent] || "Opened again.",
      form,
    );
  });
}

for (const form of document.querySelectorAll("form.decide"))
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const { about, suggestion: id } = form.closest("li").dataset;
    const accept = Boolean(event.submitter.dataset.accept);
    told(...(await post("decide", { about, id, accept })), accept ? "Accepted." : "Declined.", form);
  });

function told(status, answer, done, form) {
  if (status === 200) return reload(done, form.closest("li").id);
  said.className = "found error";
  said.textContent = problem(status, answer);
  said.scrollIntoView({ block: "nearest" });
}
