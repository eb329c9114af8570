namespace Transfer.S3.Wire.Http;

/// <content>Requests and responses in XML.</content>
internal sealed partial class HttpWire
{
    private const string XmlType = "application/xml";

    /// <summary>Sends a request, and converts the content of its response.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="request">The request.</param>
    /// <param name="root">The beginning of the name of the response's root element.</param>
    /// <param name="convert">Converts the response, of which only the headers are available, and its root element.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private async Task<T> SendForXmlAsync<T>(
        string bucket, SignedRequest request, string root, Func<HttpResponseMessage, ResponseElement, T> convert, CancellationToken cancellationToken)
    {
        request.Header("Accept-Encoding", "identity");
        request.ReadsXml = true;
        using HttpResponseMessage response = await SendAsync(bucket, request, cancellationToken).ConfigureAwait(false);
        PooledBody body;
        try
        {
            body = await PooledBody.ReadAsync(response.Content, ResponseElement.MaxBytes, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw Translate(e, cancellationToken);
        }

        await using (body.ConfigureAwait(false))
        {
            T result = XmlResponse.Read(response, body, root, request.Method == HttpMethod.Get, element => convert(response, element));
            Learn(bucket, request); // its root element shows that it is a store
            return result;
        }
    }

    /// <summary>Gets the origin of a response whose root element shows that it is a store.</summary>
    private static StoreResponse GetOrigin(HttpResponseMessage response) => S3ResponseHeaders.Origin(response) with { ContentType = null, IsOfStore = true };
}
