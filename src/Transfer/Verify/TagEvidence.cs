using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Verify;

/// <summary>Decides whether the ETags of a store say something about the content of its objects. Some look like MD5s and aren't, for example because objects are encrypted.</summary>
/// <param name="partBytes">The size up to which an object is uploaded with one request, in bytes.</param>
internal sealed class TagEvidence(long partBytes)
{
    private bool _tells = true;

    /// <summary>Gets the ETag of an object if it can be evidence; otherwise, null.</summary>
    public string? Of(ObjectAddress address, string? etag)
        => Volatile.Read(ref _tells) && address.Access.CustomerKey is null && !BucketKind.IsDirectory(address.Bucket) ? etag : null;

    /// <summary>Stops using ETags if one that looked like an MD5 turned out not to be one. MD5s of further files would tell nothing.</summary>
    /// <param name="result">The result for a file and an object that are the same.</param>
    /// <param name="etag">The ETag that was compared; null if none was.</param>
    public void Learn(VerifyResult result, string? etag)
    {
        if (etag is not null && result.Method is VerifyMethod.Checksum or VerifyMethod.Content && result.Bytes <= partBytes && Md5Tag.TryRead(etag, out _))
        {
            Volatile.Write(ref _tells, false);
        }
    }
}
