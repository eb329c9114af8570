using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verify;

/// <summary>Compares the content of two objects, which are read in order up to the first difference.</summary>
internal static class ObjectContent
{
    /// <returns>The number of equal bytes from the beginning: the whole length, or the offset of the first byte that differs.</returns>
    public static async Task<long> CountSameAsync(
        TransferRun one, ObjectAddress first, ObjectInfo firstInfo, TransferRun other, ObjectAddress second, ObjectInfo secondInfo, CancellationToken cancellationToken)
    {
        ObjectReadStream left = await OpenAsync(one, first, firstInfo, isPatient: false, cancellationToken).ConfigureAwait(false);
        await using (left.ConfigureAwait(false))
        {
            ObjectReadStream right = await OpenAsync(other, second, secondInfo, isPatient: false, cancellationToken).ConfigureAwait(false);
            await using (right.ConfigureAwait(false))
            {
                return await CountSameAsync(left.Reader, right.Reader, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Opens an object in the state in which a request has found it.</summary>
    /// <param name="run">The call.</param>
    /// <param name="address">The object.</param>
    /// <param name="info">What is known of it.</param>
    /// <param name="isPatient">Whether to wait for memory that other streams have. Whoever already has a stream must not: two that wait for each other would never end.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static Task<ObjectReadStream> OpenAsync(TransferRun run, ObjectAddress address, ObjectInfo info, bool isPatient, CancellationToken cancellationToken)
    {
        DownloadOptions options = new()
        {
            // Every range is bound to the state of the object at the start of the comparison.
            Hint = new ObjectHint { Length = info.Length, ETag = info.ETag },
            VersionId = address.VersionId,
            RequesterPays = address.Access.RequesterPays,
            CustomerKey = address.Access.CustomerKey,
            Verify = false,
        };
        DownloadRequest request = DownloadRequest.From(address.Bucket, address.Key, options, run.Client.Settings) with { IsPatient = isPatient };
        return OrderedDownload.OpenAsync(run, request, static _ => ValueTask.CompletedTask, cancellationToken);
    }

    private static async Task<long> CountSameAsync(PipeReader left, PipeReader right, CancellationToken cancellationToken)
    {
        long offset = 0;
        while (true)
        {
            ReadResult one = await left.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadResult other = await right.ReadAsync(cancellationToken).ConfigureAwait(false);
            long count = Math.Min(one.Buffer.Length, other.Buffer.Length);
            long same = CountSame(one.Buffer.Slice(0, count), other.Buffer.Slice(0, count));
            offset += same;
            bool isEnd = same < count || (one.IsCompleted && one.Buffer.Length == count) || (other.IsCompleted && other.Buffer.Length == count);
            left.AdvanceTo(one.Buffer.GetPosition(count));
            right.AdvanceTo(other.Buffer.GetPosition(count));
            if (isEnd)
            {
                return offset;
            }
        }
    }

    private static long CountSame(ReadOnlySequence<byte> one, ReadOnlySequence<byte> other)
    {
        long same = 0;
        while (!one.IsEmpty)
        {
            int count = Math.Min(one.FirstSpan.Length, other.FirstSpan.Length);
            int prefix = one.FirstSpan[..count].CommonPrefixLength(other.FirstSpan[..count]);
            same += prefix;
            if (prefix < count)
            {
                break;
            }

            (one, other) = (one.Slice(count), other.Slice(count));
        }

        return same;
    }
}
