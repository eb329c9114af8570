using System.Buffers;
using Microsoft.AspNetCore.Connections;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Forms;

/// <summary>Stores the file of a form, whose length isn't known before its end.</summary>
internal static class FormFile
{
    private const int BufferBytes = 64 << 10;

    /// <summary>Reads the file, which is a bit shorter than the form, and verifies it against the checksum in the fields.</summary>
    public static async Task<ReceivedContent> ReceiveAsync(S3Exchange exchange, Stream file, FormPolicy? policy, DeclaredChecksum? declared, ChecksumAlgorithm algorithm)
    {
        long maximum = Math.Min(policy?.MaximumBytes ?? long.MaxValue, ServerDefaults.MaximumPartBytes);
        using var digests = new BodyDigests(exchange.Server.MakesMd5, sha256: false, [algorithm]);
        IBlobWriter writer = exchange.Server.Blobs.CreateWriter(exchange.Http.Request.ContentLength!.Value);
        await using (writer.ConfigureAwait(false))
        {
            long length = await CopyAsync(exchange, file, writer, digests, maximum).ConfigureAwait(false);
            if (length < policy?.MinimumBytes)
            {
                throw S3Errors.FileTooSmall(length, policy.MinimumBytes);
            }

            digests.Finish();
            if (declared is { Value: { } value } && digests.GetChecksum(algorithm) is var computed && computed != value)
            {
                throw S3Errors.BadDigest(declared.Info.ApiName, value, computed);
            }

            IBlob blob = await writer.CompleteAsync(exchange.Aborted).ConfigureAwait(false);
            return new ReceivedContent(Content.Adopt(blob), ContentReceiver.ETag(digests, blob.Length), digests.Checksums);
        }
    }

    private static async Task<long> CopyAsync(S3Exchange exchange, Stream file, IBlobWriter writer, BodyDigests digests, long maximum)
    {
        byte[] buffer = new byte[BufferBytes];
        long length = 0;
        while (await ReadAsync(file, buffer, exchange.Aborted).ConfigureAwait(false) is > 0 and int count)
        {
            length += count;
            if (length > maximum)
            {
                throw S3Errors.EntityTooLarge(length, maximum);
            }

            exchange.Server.Statistics.AddReceived(count);
            digests.Append(buffer.AsSpan(0, count));
            await writer.WriteAsync(new ReadOnlySequence<byte>(buffer, 0, count), exchange.Aborted).ConfigureAwait(false);
            await exchange.Pacing.Receiving.PassAsync(count, exchange.Aborted).ConfigureAwait(false);
        }

        return length;
    }

    private static async ValueTask<int> ReadAsync(Stream file, byte[] buffer, CancellationToken cancellationToken)
    {
        try
        {
            return await file.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is InvalidDataException or (IOException and not ConnectionResetException))
        {
            throw S3Errors.IncompleteBody(); // the form ends without its last boundary
        }
    }
}
