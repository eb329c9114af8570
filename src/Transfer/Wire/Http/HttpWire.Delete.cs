using System.Net;

namespace Transfer.S3.Wire.Http;

/// <content>Deletions.</content>
internal sealed partial class HttpWire
{
    public async Task<DeletedObject> DeleteObjectAsync(ObjectAddress address, string? ifMatch, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Delete, address.Key);
        request.Query("versionId", address.VersionId);
        AddPayer(request, address);
        request.Amz("if-match", ifMatch);
        using HttpResponseMessage response = await SendAsync(address.Bucket, request, cancellationToken).ConfigureAwait(false);
        StoreResponse origin = S3ResponseHeaders.Origin(response);
        Learn(address.Bucket, request, response);
        return origin.IsOfStore || response.StatusCode == HttpStatusCode.NoContent // no page has this status
            ? new DeletedObject(S3ResponseHeaders.Get(response, "x-amz-version-id"), S3ResponseHeaders.Get(response, "x-amz-delete-marker") == "true")
            : throw origin.Unclear("it has no header of a store");
    }

    public Task<IReadOnlyList<RefusedDeletion>> DeleteObjectsAsync(
        string bucket, IReadOnlyList<ObjectDeletion> objects, ReadAccess access, CancellationToken cancellationToken)
    {
        SignedRequest request = NewXml(HttpMethod.Post, string.Empty, "Delete", xml =>
        {
            foreach (ObjectDeletion item in objects)
            {
                xml.Start("Object");
                xml.Element("Key", item.Key);
                xml.Element("VersionId", item.VersionId);
                xml.Element("ETag", item.IfMatch);
                xml.End("Object");
            }

            xml.Element("Quiet", "true");
        });
        request.Query("delete", string.Empty);
        request.Amz("x-amz-request-payer", access.RequesterPays ? "requester" : null);
        return SendForXmlAsync<IReadOnlyList<RefusedDeletion>>(bucket, request, "DeleteResult", static (response, result) =>
        {
            StoreResponse origin = GetOrigin(response);
            return [.. result.Children("Error").Select(error => RefusedDeletion.From(error.Exact("Key"), error.Text("VersionId"), error.Text("Code"), error.Text("Message"), origin))];
        }, cancellationToken);
    }
}
