using Transfer.S3.Requests;

namespace Transfer.S3.Upload;

/// <summary>Reads a source, and converts its exceptions to those of a transfer.</summary>
internal sealed class SourceReader(IUploadSource source)
{
    public IUploadSource Source => source;

    private IRandomAccessSource RandomAccessSource => (IRandomAccessSource)source;

    /// <summary>Reads the part at <paramref name="offset"/>.</summary>
    public async ValueTask FillAsync(long offset, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            body.CountFilling(null);
            await source.ReadPartAsync(offset, body.Size, body, cancellationToken).ConfigureAwait(false);
            body.CountFilling(source is FileSource ? TransferTimeKind.Disk : TransferTimeKind.Source);
        }
        catch (Exception e) when (e is not TransferException && e != body.ClientDisposed && !cancellationToken.IsCancellationRequested)
        {
            throw new TransferException($"The source could not be read at byte {offset + body.Length}: {e.Message}", e);
        }
    }

    /// <summary>Fills a buffer.</summary>
    public void ReadAt(long offset, Span<byte> buffer)
    {
        try
        {
            RandomAccessSource.ReadAt(offset, buffer);
        }
        catch (Exception e) when (e is not TransferException)
        {
            throw new TransferException($"The source could not be read at byte {offset}: {e.Message}", e);
        }
    }

    /// <inheritdoc cref="IRandomAccessSource.Changed"/>
    public TransferException Changed(long offset, long count) => RandomAccessSource.Changed(offset, count);

    /// <summary>Checks that the source has not changed since the upload started. Called after all of it was read.</summary>
    public async ValueTask CheckEndAsync(CancellationToken cancellationToken)
    {
        try
        {
            await source.CheckEndAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not TransferException && !cancellationToken.IsCancellationRequested)
        {
            throw new TransferException($"The source could not be read at its end: {e.Message}", e);
        }
    }
}
