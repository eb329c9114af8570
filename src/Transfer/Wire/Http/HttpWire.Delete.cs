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
                xml.WriteStartElement("Object", Namespace);
                xml.WriteElementString("Key", Namespace, item.Key);
                if (item.VersionId is not null)
                {
                    xml.WriteElementString("VersionId", Namespace, item.VersionId);
                }

                if (item.IfMatch is { } etag)
                {
                    xml.WriteElementString("ETag", Namespace, etag);
                }

                xml.WriteEndElement();
            }

            xml.WriteElementString("Quiet", Namespace, "true");
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
