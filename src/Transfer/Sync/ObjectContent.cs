using System.Buffers;
using System.IO.Pipelines;
using Transfer.Download;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Sync;

/// <summary>Compares the content of two objects, which are read in order up to the first difference.</summary>
internal static class ObjectContent
{
    public static async Task<bool> AreSameAsync(
        TransferRun one, ObjectAddress first, ObjectInfo firstInfo, TransferRun other, ObjectAddress second, ObjectInfo secondInfo, CancellationToken cancellationToken)
    {
        ObjectReadStream left = await OpenAsync(one, first, firstInfo, cancellationToken).ConfigureAwait(false);
        await using (left.ConfigureAwait(false))
        {
            ObjectReadStream right = await OpenAsync(other, second, secondInfo, cancellationToken).ConfigureAwait(false);
            await using (right.ConfigureAwait(false))
            {
                return await AreSameAsync(left.Reader, right.Reader, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private static Task<ObjectReadStream> OpenAsync(TransferRun run, ObjectAddress address, ObjectInfo info, CancellationToken cancellationToken)
    {
        DownloadOptions options = new()
        {
            Hint = new ObjectHint(info.Length, info.ETag),
            RequesterPays = address.Access.RequesterPays,
            CustomerKey = address.Access.CustomerKey,
            Verify = false,
        };
        return OrderedDownload.OpenAsync(
            run, DownloadRequest.From(address.Bucket, address.Key, options, run.Client.Settings), static _ => ValueTask.CompletedTask, cancellationToken);
    }

    private static async Task<bool> AreSameAsync(PipeReader left, PipeReader right, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult one = await left.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadResult other = await right.ReadAsync(cancellationToken).ConfigureAwait(false);
            long count = Math.Min(one.Buffer.Length, other.Buffer.Length);
            if (!AreSame(one.Buffer.Slice(0, count), other.Buffer.Slice(0, count)))
            {
                return false;
            }

            bool isEnd = one.IsCompleted && other.IsCompleted && one.Buffer.Length == other.Buffer.Length;
            bool isCut = count == 0 && (one.IsCompleted || other.IsCompleted);
            left.AdvanceTo(one.Buffer.GetPosition(count));
            right.AdvanceTo(other.Buffer.GetPosition(count));
            if (isEnd || isCut)
            {
                return isEnd;
            }
        }
    }

    private static bool AreSame(ReadOnlySequence<byte> one, ReadOnlySequence<byte> other)
    {
        while (!one.IsEmpty)
        {
            int count = Math.Min(one.FirstSpan.Length, other.FirstSpan.Length);
            if (!one.FirstSpan[..count].SequenceEqual(other.FirstSpan[..count]))
            {
                return false;
            }

            (one, other) = (one.Slice(count), other.Slice(count));
        }

        return true;
    }
}
