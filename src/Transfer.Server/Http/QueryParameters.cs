namespace Transfer.S3.Server.Http;

/// <summary>The decoded query parameters of a request, in their order. As in S3, names are case-sensitive.</summary>
internal sealed class QueryParameters
{
    private static readonly QueryParameters Empty = new([]);
    private readonly List<KeyValuePair<string, string>> _parameters;

    private QueryParameters(List<KeyValuePair<string, string>> parameters) => _parameters = parameters;

    public static QueryParameters Parse(ReadOnlySpan<char> rawQuery)
    {
        if (rawQuery.IsEmpty)
        {
            return Empty;
        }

        var parameters = new List<KeyValuePair<string, string>>();
        foreach (Range range in rawQuery.Split('&'))
        {
            ReadOnlySpan<char> parameter = rawQuery[range];
            if (parameter.IsEmpty)
            {
                continue;
            }

            int equals = parameter.IndexOf('=');
            ReadOnlySpan<char> rawName = equals < 0 ? parameter : parameter[..equals];
            ReadOnlySpan<char> rawValue = equals < 0 ? [] : parameter[(equals + 1)..];
            if (!PercentEncoding.TryDecode(rawName, plusIsSpace: true, out string? name)
                || !PercentEncoding.TryDecode(rawValue, plusIsSpace: true, out string? value))
            {
                throw S3Errors.InvalidUri();
            }

            parameters.Add(new(name, value));
        }

        return new QueryParameters(parameters);
    }

    /// <summary>Gets the first value of a parameter: null if the parameter is missing, and empty if it has no value.</summary>
    public string? this[string name]
    {
        get
        {
            foreach ((string key, string value) in _parameters)
            {
                if (key == name)
                {
                    return value;
                }
            }

            return null;
        }
    }

    public IReadOnlyList<KeyValuePair<string, string>> All => _parameters;

    public bool Contains(string name) => this[name] is not null;

    /// <summary>Creates parameters without those of a name.</summary>
    public QueryParameters Without(string name) => new(_parameters.FindAll(parameter => parameter.Key != name));

    public int? Integer(string name, int minimum, int maximum)
    {
        string? text = this[name];
        if (text is null)
        {
            return null;
        }

        if (!int.TryParse(text, System.Globalization.NumberStyles.None, provider: null, out int value) || value < minimum || value > maximum)
        {
            throw S3Errors.InvalidArgument($"Argument {name} must be an integer between {minimum} and {maximum}", name, text);
        }

        return value;
    }
}
