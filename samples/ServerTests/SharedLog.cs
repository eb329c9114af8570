using System.Buffers;
using System.Net;
using System.Text;
using Transfer.S3;

namespace ServerTests;

/// <summary>The code under test: a text object that several writers append lines to.</summary>
public sealed class SharedLog(ITransferClient client, string bucket, string key)
{
    public const int MaxAttempts = 3;

    /// <summary>Gets the lines; an empty string if there is no log yet.</summary>
    public async Task<string> ReadAsync(CancellationToken cancellationToken = default) => (await ReadWithETagAsync(cancellationToken)).Text;

    /// <summary>Appends a line. If another writer was faster, the line is appended to what that writer has written.</summary>
    /// <exception cref="TransferException">Thrown when other writers were faster in each of <see cref="MaxAttempts"/> attempts (<see cref="TransferError.PreconditionFailed"/>).</exception>
    public async Task AppendAsync(string line, CancellationToken cancellationToken = default)
    {
        for (int attempt = 1; ; attempt++)
        {
            (string text, string? etag) = await ReadWithETagAsync(cancellationToken);
            ReadOnlySequence<byte> content = new(Encoding.UTF8.GetBytes($"{text}{line}\n"));
            UploadOptions options = new() { ContentType = "text/plain", IfMatch = etag, Overwrite = etag is not null };
            try
            {
                await client.UploadAsync(content, bucket, key, options, cancellationToken: cancellationToken);
                return;
            }
            catch (TransferException e) when (e.Error == TransferError.PreconditionFailed && attempt < MaxAttempts)
            {
                // Read the new log, and try again.
            }
        }
    }

    private async Task<(string Text, string? ETag)> ReadWithETagAsync(CancellationToken cancellationToken)
    {
        try
        {
            await using ObjectReadStream stream = await client.OpenReadAsync(bucket, key, cancellationToken: cancellationToken);
            using StreamReader reader = new(stream);
            return (await reader.ReadToEndAsync(cancellationToken), stream.Info.ETag);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return (string.Empty, null);
        }
    }
}
