import {
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { ApiError, api } from "./api.ts";

type Filters = Readonly<Record<string, string | number | undefined>>;

const STALE_MS = 15_000;
const TRIES_MAX = 3;

/** A refusal stays a refusal; only a server that was away is asked again. */
function mayRetry(failures: number, error: Error): boolean {
  const away = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return away && failures < TRIES_MAX - 1;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: mayRetry },
      // Said to have failed at once where there is no network: nothing is done later, unasked.
      mutations: { networkMode: "always" },
    },
  });
}

interface ResourceOptions {
  /** Not asked for while false. */
  readonly enabled?: boolean;
  readonly refetchMs?: number;
  /** Keeps the last answer on the page while the filters change. */
  readonly keep?: boolean;
}

/**
 * Another filter leaves what is there until its answer comes, or the page would jump up and down. Another path, such as
 * the same page of another account, does not.
 */
function keptOf(path: string) {
  return <Data>(before: Data | undefined, query: { queryKey: QueryKey } | undefined) =>
    query?.queryKey[0] === path ? before : undefined;
}

/** One object of the API, by its path. */
export function useResource<Answer>(
  path: string,
  query: Filters = {},
  options: ResourceOptions = {},
) {
  return useQuery<Answer>({
    queryKey: [path, query],
    queryFn: () => api.get<Answer>(path, query),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchMs ?? false,
    ...(options.keep && { placeholderData: keptOf(path) }),
  });
}

/** A list as tables want it: `data` is absent while the first page loads. */
export interface Rows<Row> {
  readonly data: readonly Row[] | undefined;
  readonly error: unknown;
  /** What is shown answers the question before; the answer to this one is on its way. */
  readonly stale: boolean;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** A list of the API, page by page. */
export function useRows<Row>(path: string, filters: Filters = {}): Rows<Row> {
  const query = useInfiniteQuery({
    queryKey: [path, "rows", filters],
    queryFn: ({ pageParam }) => api.page<Row>(path, filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keptOf(path),
  });
  const data = useMemo(() => query.data?.pages.flatMap((page) => page.data), [query.data]);
  return {
    data,
    error: query.error,
    stale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

/** What was asked for, as far as it is there. */
export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error?: unknown;
  readonly refetch?: () => unknown;
}

/** Rows that are there already, for a `DataTable` without pages. */
export function rowsOf<Row>(query: Loaded<readonly Row[]>): Rows<Row> {
  return {
    data: query.data,
    error: query.error ?? null,
    stale: false,
    hasMore: false,
    loadingMore: false,
    loadMore: () => undefined,
    retry: () => void query.refetch?.(),
  };
}

function startsWith(key: QueryKey, paths: readonly string[]): boolean {
  const [path] = key;
  return typeof path === "string" && paths.some((prefix) => path.startsWith(prefix));
}

/**
 * Asks again for everything below some paths. Whoever has something to tell does not wait for that: what is done is done,
 * and a server that is slow or away would keep it from being told. `onRead` is for what shows the answers itself.
 */
export function useRefresh(): (paths: readonly string[], onRead?: () => void) => void {
  const client = useQueryClient();
  return useCallback(
    (paths, onRead) => {
      const isBelow = ({ queryKey }: { readonly queryKey: QueryKey }) =>
        startsWith(queryKey, paths);
      void client.invalidateQueries({ predicate: isBelow }).then(onRead);
    },
    [client],
  );
}
