using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>The conditions of a write. They are checked when the object is published, under the lock of its bucket.</summary>
internal readonly record struct WriteCondition(string? IfMatch, bool IfNoneMatchAny)
{
    public static WriteCondition None => default;

    public static WriteCondition From(S3Exchange exchange)
    {
        string? ifNoneMatch = exchange.Header("if-none-match");
        if (ifNoneMatch is not null && ifNoneMatch.Trim() != "*")
        {
            throw S3Errors.NotImplemented("If-None-Match");
        }

        return new WriteCondition(exchange.Header("if-match"), ifNoneMatch is not null);
    }

    public void Check(string key, StoredObject? existing)
    {
        if (IfNoneMatchAny && existing is not null)
        {
            throw S3Errors.PreconditionFailed("If-None-Match");
        }

        if (IfMatch is null)
        {
            return;
        }

        if (existing is null)
        {
            throw S3Errors.NoSuchKey(key);
        }

        if (!ETags.Matches(IfMatch, existing.ETag))
        {
            throw S3Errors.PreconditionFailed("If-Match");
        }
    }
}
