// A page with the form of an app. createHandler of examples/server.mjs answers below /api/atelier.
import { createRoot } from "react-dom/client";
import { AppForm } from "atelier-react";
import "atelier-react/styles.css";

createRoot(document.getElementById("app")).render(
  <AppForm endpoint="/api/atelier/poster" submitLabel="Make my poster" onResult={(run) => console.log(run.result?.url)} />,
);
