import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startAttending } from './api/attended';
import { queryClient } from './api/query-client';
import { startKeys } from './keys/keys';
import { router } from './routes';
import { ofSession } from './session';
import './theme/styles.css';
import { startDensity } from './theme/density';
import { startTheme } from './theme/theme';

startTheme();
startDensity();
startKeys();
startAttending();
// Before the first page is there: it asks for its own meanwhile.
void queryClient.query(ofSession).catch(() => undefined);

const app = document.getElementById('app');
if (!app) throw new Error('index.html has no #app');
createRoot(app).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
