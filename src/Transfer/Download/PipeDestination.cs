using System.IO.Pipelines;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>Writes an object to a pipe, which it doesn't complete.</summary>
/// <param name="pipe">The pipe.</param>
/// <param name="address">The object, for errors.</param>
internal sealed class PipeDestination(PipeWriter pipe, ObjectAddress address)
{
    private bool _isCompleted;

    /// <summary>Writes bytes. A reader that has received all of the object can complete the pipe at once, so that is an error only if more bytes have to be written.</summary>
    /// <param name="memory">The bytes.</param>
    /// <param name="isLast">Whether no bytes follow.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">The reader of the pipe was completed before.</exception>
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> memory, bool isLast, CancellationToken cancellationToken)
    {
        if (isLast && !_isCompleted)
        {
            // After the last write, it can't be known anymore whether the reader was completed before it or because of it.
            _isCompleted = (await pipe.FlushAsync(cancellationToken).ConfigureAwait(false)).IsCompleted;
        }

        if (_isCompleted)
        {
            throw new TransferException($"{address}: the reader of the destination pipe was completed before the end of the object.") { Bucket = address.Bucket, Key = address.Key };
        }

        _isCompleted = (await pipe.WriteAsync(memory, cancellationToken).ConfigureAwait(false)).IsCompleted;
    }
}
