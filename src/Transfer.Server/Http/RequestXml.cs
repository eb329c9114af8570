namespace Transfer.S3.Server.Http;

/// <summary>Reads and verifies the XML body of a request, with a size limit.</summary>
internal static class RequestXml
{
    /// <param name="exchange">The request.</param>
    /// <param name="mustHaveDigest">Whether S3 requires Content-MD5 or a checksum for this body.</param>
    /// <param name="readsChecksum">Whether checksum headers describe this body.</param>
    public static async Task<ReadOnlyMemory<byte>> ReadAsync(S3Exchange exchange, bool mustHaveDigest = false, bool readsChecksum = true)
    {
        using var body = new RequestBody(exchange, needsMd5: false, readsChecksum);
        if (mustHaveDigest && body.Declared is null && !body.HasContentMd5)
        {
            throw S3Errors.InvalidRequest("Missing required header for this request: Content-MD5");
        }

        return await body.ReadAllAsync(ServerDefaults.MaximumXmlBytes).ConfigureAwait(false);
    }
}
