using Transfer.S3;

namespace BrowserUpload;

/// <summary>What the server does for uploads: it plans, signs, and completes. The content goes from the browser to the store.</summary>
internal sealed class Uploads(ITransferClient client, UploadTickets tickets, string bucket)
{
    public const string Prefix = "browser-uploads/";

    private const long MaxBytes = 50L << 30;

    private static readonly TimeSpan UrlLifetime = TimeSpan.FromMinutes(15);

    public async Task<PartsToSend> BeginAsync(NewUpload file, CancellationToken aborted)
    {
        if (file.Size is < 0 or > MaxBytes)
        {
            throw new BadHttpRequestException($"A file can have at most {MaxBytes} bytes.");
        }

        // The key is the server's choice, so that nobody replaces the files of others. The name is only what a download is called.
        UploadOptions options = new()
        {
            Checksum = ChecksumAlgorithm.Sha256, // browsers compute it, and the store compares it with each part
            PartSizeBytes = 8L << 20,
            ContentType = "application/octet-stream", // browsers must not show what others have uploaded as a page
            ContentDisposition = $"attachment; filename*=UTF-8''{Uri.EscapeDataString(Path.GetFileName(file.Name))}",
            Overwrite = false,
        };
        PresignedUpload upload = await client.PresignUploadAsync(bucket, $"{Prefix}{Guid.NewGuid():N}", file.Size, options, UrlLifetime, aborted);
        return ToParts(upload, tickets.Protect(upload));
    }

    public async Task<PartsToSend> FindMissingAsync(string ticket, CancellationToken aborted)
    {
        PresignedUpload upload = tickets.Read(ticket);
        try
        {
            return ToParts(await client.PresignMissingPartsAsync(upload, aborted), ticket);
        }
        catch (TransferException e) when (e.Error == TransferError.UploadNotFound)
        {
            if (await IsPublishedAsync(upload, aborted))
            {
                return new PartsToSend(ticket, []);
            }

            throw;
        }
    }

    public async Task<SignedPart> SignAsync(PartToSign part, CancellationToken aborted)
    {
        PresignedPart signed = await client.PresignPartAsync(tickets.Read(part.Ticket), part.Number, part.Checksum, aborted);
        return new SignedPart(signed.Url!, signed.Headers);
    }

    public async Task<Published> CompleteAsync(string ticket, CancellationToken aborted)
    {
        PresignedUpload upload = tickets.Read(ticket);
        ChecksumVerdict? verdict = null;
        try
        {
            verdict = (await client.CompleteUploadAsync(upload, cancellationToken: aborted)).Verdict;
        }
        catch (TransferException e) when (e.Error == TransferError.UploadNotFound)
        {
            if (!await IsPublishedAsync(upload, aborted))
            {
                throw;
            }
        }

        Uri url = await client.PresignDownloadAsync(bucket, upload.Key, new PresignDownloadOptions { Lifetime = UrlLifetime }, aborted);
        return new Published(upload.Key, verdict?.IsVerified ?? false, verdict?.Value, url);
    }

    public Task AbortAsync(string ticket, CancellationToken aborted) => client.AbortUploadAsync(tickets.Read(ticket), aborted);

    /// <summary>Gets whether an upload that doesn't exist anymore was completed, and the browser didn't receive the response. No other upload has its key.</summary>
    private Task<bool> IsPublishedAsync(PresignedUpload upload, CancellationToken aborted) => client.ExistsAsync(bucket, upload.Key, cancellationToken: aborted);

    private static PartsToSend ToParts(PresignedUpload upload, string ticket)
        => new(ticket, [.. upload.Parts.Select(static part => new PartRange(part.Number, part.Offset, part.Length))]);
}
