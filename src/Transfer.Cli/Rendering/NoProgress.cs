namespace Transfer.S3.Cli.Rendering;

/// <summary>Shows nothing.</summary>
internal sealed class NoProgress : IProgressView
{
    public static NoProgress Instance { get; } = new();

    public void Report(TransferProgress value)
    {
    }

    public void Dispose()
    {
    }
}
