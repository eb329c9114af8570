namespace Transfer.S3.Wire.Http;

/// <summary>The endpoints that one request was sent to. Detects redirect loops, and redirects to hosts that don't belong to the store.</summary>
internal sealed class RedirectHistory(StoreEndpoint start, StoreEndpoints store)
{
    private const int MaxHops = 4;
    private readonly List<StoreEndpoint> _places = [start];

    /// <summary>Adds the next endpoint, or throws if the redirect is part of a loop or isn't safe.</summary>
    public void Add(StoreEndpoint next, WireException answer)
    {
        if (Refusal(_places[^1], next, store) is { } message)
        {
            throw Refuse(message, answer);
        }

        bool again = _places.Contains(next);
        _places.Add(next);
        if (again || _places.Count > MaxHops + 1)
        {
            throw Refuse($"the store redirects in a loop, or too often: {string.Join(" → ", _places.Select(place => $"{place.Origin} ({place.Region})"))}", answer);
        }
    }

    /// <summary>Gets the reason why a redirection isn't safe; null if it is.</summary>
    public static string? Refusal(StoreEndpoint from, StoreEndpoint next, StoreEndpoints store)
        => from.IsTls && !next.IsTls ? $"the store redirects a request from {from.Origin} to {next.Origin}: redirects from HTTPS to HTTP are not followed"
            : store.Owns(next) ? null

            // Another host can't use the signature, but it could use the session token, a customer key, and the data.
            : $"the store redirects a request to {next.Origin}, which is not one of its hosts. If you trust this host, configure it as the endpoint";

    /// <summary>Creates the error of a redirection that isn't followed.</summary>
    public static WireException Refuse(string message, WireException answer) => new(FailureKind.Final, message, answer)
    {
        StatusCode = answer.StatusCode,
        ErrorCode = answer.ErrorCode,
        RequestId = answer.RequestId,
        Elsewhere = answer.Elsewhere,
    };
}
