import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { startKeys } from './keys/keys';
import { router } from './routes';
import './theme/styles.css';
import { startDensity } from './theme/density';
import { startTheme } from './theme/theme';

startTheme();
startDensity();
startKeys();

const app = document.getElementById('app');
if (!app) throw new Error('index.html has no #app');
createRoot(app).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
