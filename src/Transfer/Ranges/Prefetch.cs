namespace Transfer.S3.Ranges;

/// <summary>The ranges that one call announces. The lock of the <see cref="ReadAhead"/> guards all of its state.</summary>
internal sealed class Prefetch
{
    /// <summary>Gets the pages of the ranges.</summary>
    public PageSet Pages { get; } = new();

    /// <summary>Gets or sets the number of runs that weren't requested completely.</summary>
    public int Queued { get; set; }

    /// <summary>Gets or sets the first error of a request.</summary>
    public Exception? Error { get; set; }
}
