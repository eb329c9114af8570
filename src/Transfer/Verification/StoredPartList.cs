using System.Net;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Verification;

/// <summary>The parts in which an object was stored, each with its checksum. All checksums have the same algorithm.</summary>
/// <param name="Head">The object in the state that the parts belong to. It has a strong ETag.</param>
/// <param name="Algorithm">The algorithm of the checksums.</param>
/// <param name="Parts">The parts, in order. They are all of the object.</param>
internal sealed record StoredPartList(ObjectHead Head, ChecksumAlgorithm Algorithm, IReadOnlyList<ListedPart> Parts)
{
    /// <summary>Finds the parts, with two requests and one more for each 1,000 parts.</summary>
    /// <returns>Null if the object doesn't exist, or if the store doesn't tell its parts with their checksums. The reason is logged.</returns>
    public static async Task<StoredPartList?> FindAsync(TransferRun run, ObjectAddress address, CancellationToken cancellationToken)
    {
        if (address.Access.CustomerKey is not null)
        {
            return NotUsed(run, address, "it is encrypted with a customer-provided key");
        }

        ObjectHead head;
        try
        {
            head = await run.SendAsync(token => run.Client.Wire.HeadAsync(address.WithHeaders, token), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return null; // there is nothing to reuse
        }
        catch (WireException e) when (!e.MayRetry)
        {
            return NotUsed(run, address, $"its headers can't be read ({e.Message})");
        }
        catch (WireException e)
        {
            throw new TransferException($"{address}: could not read the headers: {e.Message}{e.AttemptsText}", address, e);
        }

        if (head.Info.ETag is not { Length: > 0 } etag || ETags.IsWeak(etag))
        {
            return NotUsed(run, address, "it has no strong ETag");
        }

        (List<ListedPart> parts, string? failure) = await ListAsync(run, address, etag, cancellationToken).ConfigureAwait(false);
        (StoredPartList? stored, string? obstacle) = failure is null ? Create(head, parts) : (null, failure);
        return stored ?? NotUsed(run, address, obstacle!);
    }

    /// <summary>Creates the list from the responses of the store.</summary>
    /// <returns>The list, or the reason why it can't be used, of which the object is the subject.</returns>
    public static (StoredPartList? Stored, string? Obstacle) Create(ObjectHead head, IReadOnlyList<ListedPart> parts)
    {
        if (parts.Count == 0)
        {
            return (null, "it was uploaded with one request, or the store does not list its parts");
        }

        ChecksumAlgorithm? algorithm = parts[0].Checksum?.Algorithm;
        return algorithm is not { } known || !parts.All(part => part.Checksum is { IsComposite: false } sum && PartChecksum.TryParse(known, sum.Algorithm == known ? sum.Value : null, part.Length) is not null)
            ? (null, "the store has no checksums of its parts")
            : parts.Sum(static part => part.Length) != head.Info.Length || parts.Any(static part => part.Length <= 0)
            ? (null, "the store does not list all of its parts")
            : (new StoredPartList(head, known, parts), null);
    }

    /// <summary>Logs why parts aren't reused.</summary>
    public static StoredPartList? NotUsed(TransferRun run, ObjectAddress address, string reason)
    {
        Requests.Log.PartsNotReused(run.Client.Logger, address.Bucket, address.Key, reason);
        return null;
    }

    private static async Task<(List<ListedPart> Parts, string? Failure)> ListAsync(TransferRun run, ObjectAddress address, string etag, CancellationToken cancellationToken)
    {
        List<ListedPart> parts = [];
        if (run.Client.Profile.NoAttributes is not null || run.Client.Profile.RefusesAttributes(address.Bucket))
        {
            return (parts, "the store does not list the parts of objects");
        }

        try
        {
            await foreach (Page<ListedPart> page in Pages.ReadAsync<ListedPart>(
                (after, stopping) => run.SendAsync(token => run.Client.Wire.ListStoredPartsAsync(address, etag, after, token), stopping),
                cancellationToken).ConfigureAwait(false))
            {
                parts.AddRange(page.Items);
                if (parts.Count > TransferDefaults.MaxParts)
                {
                    break;
                }
            }

            return (parts, null);
        }
        catch (WireException e)
        {
            if (!e.MayRetry)
            {
                run.Client.Profile.LearnAttributes(address.Bucket, e);
            }

            return (parts, $"its parts can't be listed ({e.Message})");
        }
    }
}
