using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Locks;

/// <summary>Returns and changes the object lock of a bucket, and the retention and the legal hold of an object.</summary>
internal static class ObjectLockOperations
{
    /// <summary>Returns whether a request may delete an object in spite of a retention in GOVERNANCE mode.</summary>
    public static bool Bypasses(S3Exchange exchange) =>
        string.Equals(exchange.Header("x-amz-bypass-governance-retention"), "true", StringComparison.OrdinalIgnoreCase);

    public static Task GetConfigurationAsync(S3Exchange exchange)
    {
        BucketLock bucketLock = exchange.Bucket.Settings.Lock ?? throw S3Errors.NoObjectLockConfiguration();
        return exchange.AnswerXmlAsync(LockDocuments.Configuration, writer => LockDocuments.WriteTo(writer, bucketLock));
    }

    public static async Task PutConfigurationAsync(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        BucketLock bucketLock = LockDocuments.ParseConfiguration(await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false));
        if (bucket.KeepsVersions != true)
        {
            throw S3Errors.InvalidBucketState("Versioning must be 'Enabled' on the bucket to apply a Object Lock configuration");
        }

        bucket.Change(settings => settings with { Lock = bucketLock });
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static Task GetRetentionAsync(S3Exchange exchange)
    {
        ObjectAttributes attributes = GetLockable(exchange).Attributes;
        return attributes.LockMode is null
            ? throw S3Errors.NoSuchObjectLock()
            : exchange.AnswerXmlAsync(LockDocuments.Retention, writer =>
            {
                writer.Element("Mode", attributes.LockMode);
                writer.Element("RetainUntilDate", XmlResponse.Timestamp(attributes.RetainUntil!.Value));
            });
    }

    public static async Task PutRetentionAsync(S3Exchange exchange)
    {
        (string? mode, DateTimeOffset? until) = LockDocuments.ParseRetention(await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false));
        DateTimeOffset now = exchange.Server.Now;
        if (until <= now)
        {
            throw S3Errors.InvalidArgument("The retain until date must be in the future!", "RetainUntilDate", XmlResponse.Timestamp(until.Value));
        }

        bool bypasses = Bypasses(exchange);
        await ObjectAttributeChange.ApplyAsync(exchange, GetLockable, current =>
        {
            bool isLooser = mode != current.LockMode || until < current.RetainUntil;
            return isLooser && current.IsRetainedAt(now, bypasses) ? throw S3Errors.ObjectIsLocked() : current with { LockMode = mode, RetainUntil = until };
        }).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    public static Task GetLegalHoldAsync(S3Exchange exchange)
    {
        bool isOn = GetLockable(exchange).Attributes.HasLegalHold;
        return exchange.AnswerXmlAsync(LockDocuments.LegalHold, writer => writer.Element("Status", isOn ? "ON" : "OFF"));
    }

    public static async Task PutLegalHoldAsync(S3Exchange exchange)
    {
        bool isOn = LockDocuments.ParseLegalHold(await RequestXml.ReadAsync(exchange, mustHaveDigest: true).ConfigureAwait(false));
        await ObjectAttributeChange.ApplyAsync(exchange, GetLockable, current => current with { HasLegalHold = isOn }).ConfigureAwait(false);
        await exchange.AnswerAsync(StatusCodes.Status200OK).ConfigureAwait(false);
    }

    private static StoredObject GetLockable(S3Exchange exchange)
    {
        Bucket bucket = exchange.Bucket;
        StoredObject value = bucket.Get(exchange.Key, exchange.Target.VersionId);
        return bucket.Settings.Lock is null ? throw S3Errors.InvalidRequest("Bucket is missing Object Lock Configuration") : value;
    }
}
