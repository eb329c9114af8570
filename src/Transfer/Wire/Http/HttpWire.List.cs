namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<Page<ListedObject>> ListAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("continuation-token", after?.Marker.Token);
        request.Query("delimiter", query.Delimiter);
        request.Query("encoding-type", "url"); // keys can contain characters that XML can't
        request.Query("list-type", "2");
        request.Query("prefix", query.Prefix.Length == 0 ? null : query.Prefix);
        request.Amz("x-amz-request-payer", query.Access.RequesterPays ? "requester" : null);
        request.Header("Accept-Encoding", "identity");
        using HttpResponseMessage response = await SendAsync(query.Bucket, request, cancellationToken).ConfigureAwait(false);
        try
        {
            // The whole response is buffered first, because an XML reader waits for its stream without a token.
            await response.Content.LoadIntoBufferAsync(ListResponse.MaxBytes, cancellationToken).ConfigureAwait(false);
            return ListResponse.Read(response, query, after, await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false));
        }
        catch (Exception e) when (e is not WireException)
        {
            throw Translate(e, cancellationToken);
        }
    }
}
