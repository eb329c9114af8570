using System.Globalization;
using System.Net;

namespace Transfer.S3.Wire;

/// <summary>Where a successful response comes from. A proxy, a load balancer, or a web server can respond with status 200 too.</summary>
/// <remarks>
/// A response is that of a store if it has an ETag, or a header whose name begins with <c>x-amz-</c> or <c>x-goog-</c>. Amazon S3 and the servers that imitate it
/// (MinIO, Ceph, OpenStack Swift) send <c>x-amz-request-id</c> with each response, moto the header of the other services of AWS (<c>x-amzn-requestid</c>), and Cloudflare R2 and Google Cloud Storage an ETag with each object. A mock of
/// the SDK's client sets only what its test needs, so its responses are believed, except that nothing can be published without an ETag.
/// </remarks>
/// <param name="Status">The status; 0 for a mock without one.</param>
/// <param name="RequestId">The ID of the request, if any.</param>
/// <param name="ContentType">The content type, if any.</param>
/// <param name="IsOfStore">Whether the response shows that a store has sent it.</param>
internal readonly record struct StoreResponse(HttpStatusCode Status, string? RequestId, string? ContentType, bool IsOfStore)
{
    /// <summary>Gets a value that indicates whether the response is a web page of another server, which can have an ETag.</summary>
    public bool IsWebPage => string.IsNullOrEmpty(RequestId) && ContentType?.StartsWith("text/html", StringComparison.OrdinalIgnoreCase) == true;

    /// <summary>Creates the error of a response to a write that isn't that of a store, so that it isn't known whether the store has carried out the request.</summary>
    /// <param name="lack">What the response lacks.</param>
    public WireException Unclear(string lack) => Failure(FailureKind.Transient, $"{Text}: {(IsWebPage ? "it is a web page" : lack)}");

    /// <summary>
    /// Returns whether a request can have a response with this status, which is a success. What reads gets 200 or 206, and nothing else gets 206. A proxy that has changed
    /// the content says 203 (RFC 9110, section 15.3.4).
    /// </summary>
    /// <param name="status">The status.</param>
    /// <param name="isRead">Whether it is the response to a GET or HEAD request.</param>
    public static bool Fits(HttpStatusCode status, bool isRead) => status == HttpStatusCode.OK || isRead == (status == HttpStatusCode.PartialContent);

    /// <summary>Creates the error of a response whose status doesn't fit (<see cref="Fits"/>).</summary>
    public WireException OfOtherStatus() => Status == HttpStatusCode.PartialContent
        ? Unclear("it is the response to a read") // of another request, which the connection of a proxy or a store has mixed up
        : NotOfStore(Text);

    /// <summary>Creates the error of a response to a read that isn't that of a store.</summary>
    /// <param name="otherwise">What the response is if it isn't a web page.</param>
    /// <param name="innerException">The error of its content, if any.</param>
    public WireException NotOfStore(string otherwise, Exception? innerException = null)
        => Failure(FailureKind.NotStore, $"{(IsWebPage ? "the endpoint responded with a web page" : otherwise)}: is it an S3 endpoint?", innerException);

    /// <summary>Rejects the response to a read or an abort if it isn't that of a store.</summary>
    public void Check()
    {
        if (!IsOfStore)
        {
            throw NotOfStore(Text);
        }
    }

    /// <summary>
    /// Checks the response to the creation of a multipart upload, and returns the ID. A response about another key is the response to another request, and parts
    /// with its ID would go to another object. If a store has sent a response without an ID, the request isn't repeated, because each attempt could leave an open upload.
    /// </summary>
    /// <param name="id">The ID in the response.</param>
    /// <param name="key">The key in the response. XML can't contain control characters, so that a key with some isn't compared.</param>
    /// <param name="wanted">The key of the request.</param>
    public string CheckUploadId(string? id, string? key, string wanted)
        => string.IsNullOrEmpty(id)
            ? throw (IsOfStore ? Failure(FailureKind.Final, "the store created a multipart upload, but did not return its ID") : Unclear("it has no upload ID"))
            : string.IsNullOrEmpty(key) || key == wanted || Uri.UnescapeDataString(key) == wanted || wanted.Any(char.IsControl) ? id
            : throw Unclear("it is about another key");

    public WireException Failure(FailureKind kind, string message, Exception? innerException = null)
        => new(kind, message, innerException) { StatusCode = Status == 0 ? null : Status, RequestId = RequestId };

    private string Text => string.Create(CultureInfo.InvariantCulture, $"the response with status {(int)Status} is not that of an S3 store");
}
