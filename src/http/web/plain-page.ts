/** What a person sees where the admin UI was not built. No script, no style, nothing about who may log in. */
export const PLAIN_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Pillarbox</title>
  </head>
  <body>
    <h1>Pillarbox</h1>
    <p>Mail goes in once and leaves once. The service runs.</p>
    <ul>
      <li><a href="/docs">The HTTP API</a></li>
      <li><a href="/readyz">Is the database there?</a></li>
      <li><a href="/metrics">Figures</a></li>
    </ul>
    <p>The queue: <code>pillarbox queue ls</code></p>
  </body>
</html>
`;
