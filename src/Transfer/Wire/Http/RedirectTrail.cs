namespace Transfer.Wire.Http;

/// <summary>The places that one request was sent to, so that it does not go round in circles, nor to anybody but the store.</summary>
internal sealed class RedirectTrail(StoreEndpoint start, StoreEndpoints store)
{
    private const int MaxHops = 4;
    private readonly List<StoreEndpoint> _places = [start];

    /// <summary>Takes the next place, or throws where the way there leads nowhere or is not safe.</summary>
    public void Add(StoreEndpoint next, WireException answer)
    {
        if (_places[^1].IsTls && !next.IsTls)
        {
            throw Refuse($"the store redirects a request from {_places[^1].Origin} to {next.Origin}: redirects from HTTPS to HTTP are not followed", answer);
        }

        // A signature is worth nothing elsewhere; the session token, a customer's key and the bytes that go with it are.
        if (!store.Owns(next))
        {
            throw Refuse($"the store redirects a request to {next.Origin}, which is not one of its hosts. If you trust this host, configure it as the endpoint", answer);
        }

        bool again = _places.Contains(next);
        _places.Add(next);
        if (again || _places.Count > MaxHops + 1)
        {
            throw Refuse($"the store redirects in a loop, or too often: {string.Join(" → ", _places.Select(place => $"{place.Origin} ({place.Region})"))}", answer);
        }
    }

    private static WireException Refuse(string message, WireException answer) => new(FailureKind.Final, message, answer)
    {
        StatusCode = answer.StatusCode,
        ErrorCode = answer.ErrorCode,
        RequestId = answer.RequestId,
    };
}
