namespace Transfer.Wire.Http;

internal sealed partial class HttpWire
{
    public async Task<ObjectPage> ListAsync(string bucket, string prefix, string? page, ReadAccess access, CancellationToken cancellationToken)
    {
        if (IsLeftToSdk(bucket))
        {
            return await _sdk.ListAsync(bucket, prefix, page, access, cancellationToken).ConfigureAwait(false);
        }

        SignedRequest request = new(HttpMethod.Get, string.Empty);
        request.Query("continuation-token", page);
        request.Query("encoding-type", "url"); // keys can contain characters that XML can't
        request.Query("list-type", "2");
        request.Query("prefix", prefix.Length == 0 ? null : prefix);
        request.Amz("x-amz-request-payer", access.RequesterPays ? "requester" : null);
        request.Header("Accept-Encoding", "identity");
        try
        {
            using HttpResponseMessage response = await SendAsync(bucket, request, cancellationToken).ConfigureAwait(false);
            try
            {
                // The whole response is buffered first, because an XML reader waits for its stream without a token.
                await response.Content.LoadIntoBufferAsync(ListResponse.MaxBytes, cancellationToken).ConfigureAwait(false);
                return ListResponse.Read(response, await response.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false));
            }
            catch (Exception e) when (e is not WireException)
            {
                throw Translate(e, cancellationToken);
            }
        }
        catch (WireException e) when (e.Kind == FailureKind.Elsewhere)
        {
            return await _sdk.ListAsync(bucket, prefix, page, access, cancellationToken).ConfigureAwait(false);
        }
    }
}
