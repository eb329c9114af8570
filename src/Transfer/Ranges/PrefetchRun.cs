namespace Transfer.S3.Ranges;

/// <summary>Contiguous pages of announced ranges that weren't requested completely.</summary>
/// <param name="prefetch">The call that announced them.</param>
/// <param name="next">The first page that wasn't requested.</param>
/// <param name="end">The page after the last one.</param>
internal sealed class PrefetchRun(Prefetch prefetch, long next, long end)
{
    public Prefetch Prefetch => prefetch;

    public long Next { get; set; } = next;

    public long End => end;
}
