using System.Globalization;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Operations;

/// <summary>Requests a copy of an archived object that can be read, or changes how long it is kept.</summary>
internal static class RestoreObjectOperation
{
    private static readonly string[] Tiers = ["Standard", "Bulk", "Expedited"];

    public static async Task AnswerAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        int days = Parse(await RequestXml.ReadAsync(exchange).ConfigureAwait(false));
        while (true)
        {
            DateTimeOffset now = exchange.Server.Now;
            StoredObject current = bucket.Get(exchange.Key, exchange.Target.VersionId);
            if (!current.IsArchived)
            {
                throw S3Errors.InvalidObjectState(current.StorageClass, "Restore is not allowed for the object's current storage class");
            }

            RestoredCopy? copy = current.RestoredAt(now);
            if (copy?.IsInProgress(now) == true)
            {
                throw S3Errors.RestoreAlreadyInProgress();
            }

            DateTimeOffset from = copy?.ReadableFrom ?? now + exchange.Server.Options.RestoreTime;
            StoredObject restored = current with { Restored = new RestoredCopy(from, (from > now ? from : now).AddDays(days)) };
            using IStagedRecord record = await exchange.Server.Journal.StageObjectAsync(bucket.Name, restored, exchange.Aborted).ConfigureAwait(false);
            if (bucket.TryReplace(current, restored, record))
            {
                await exchange.AnswerAsync(copy is null ? StatusCodes.Status202Accepted : StatusCodes.Status200OK).ConfigureAwait(false);
                return;
            }
        }
    }

    private static int Parse(ReadOnlyMemory<byte> body)
    {
        int? days = null;
        XmlRequest.Read(body, "RestoreRequest", group: null, onGroup: null, OnLeaf, container: "GlacierJobParameters");
        return days ?? throw S3Errors.MalformedXml();

        void OnLeaf(string name, string text)
        {
            switch (name)
            {
                case "Days":
                    days = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number is >= 1 and <= RestoreOptions.MaxDays
                        ? number
                        : throw S3Errors.MalformedXml();
                    break;
                case "Tier" when Array.IndexOf(Tiers, text) >= 0:
                    break; // each takes the same time here
                default:
                    throw S3Errors.MalformedXml();
            }
        }
    }
}
