/** One page of a list. */
export interface Page<T> {
  data: T[];
  /** Passed back as cursor; null at the end. */
  next: string | null;
}

/**
 * A list that is fetched page by page, as it is read:
 *
 *     for await (const job of atelier.jobs.list()) …
 */
export class Pages<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<Page<T>>) {}

  /** One page: the first, or that of a cursor. */
  page(cursor?: string): Promise<Page<T>> {
    return this.fetchPage(cursor);
  }

  /** The rows from the beginning, at most as many as said. */
  async take(most: number): Promise<T[]> {
    const out: T[] = [];
    if (most <= 0) return out;
    for await (const row of this) {
      out.push(row);
      if (out.length >= most) break;
    }
    return out;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const { data, next } = await this.fetchPage(cursor);
      yield* data;
      if (next === null || next === cursor) return;
      cursor = next;
    }
  }
}
