using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Abilities;

/// <summary>Which requests use an ability, and what it takes to carry them out without it.</summary>
/// <param name="Ability">The ability.</param>
/// <param name="Operations">The operations that can use it.</param>
internal sealed record AbilityRule(ServerAbility Ability, params IReadOnlyList<S3Operation> Operations)
{
    /// <summary>Gets the header that uses the ability; null if none does.</summary>
    public string? Header { get; init; }

    /// <summary>Gets the beginning of the values of <see cref="Header"/> that use the ability; null for all values.</summary>
    public string? HeaderValue { get; init; }

    /// <summary>Gets the parameter that uses the ability; null if none does.</summary>
    public string? Parameter { get; init; }

    /// <summary>Gets a value that indicates whether a request can be refused because it uses the ability.</summary>
    public bool CanRefuse { get; init; } = true;

    /// <summary>Gets a value that indicates whether a request can be carried out as if it didn't use the ability.</summary>
    public bool CanIgnore { get; init; }

    /// <summary>Gets a value that indicates whether only the operation itself knows whether a request uses the ability.</summary>
    public bool IsCheckedElsewhere { get; init; }

    public bool IsUsedBy(S3Exchange exchange)
        => !IsCheckedElsewhere
        && Operations.Contains(exchange.Operation)
        && (Header is null || (exchange.Header(Header) is { } value && (HeaderValue is null || value.StartsWith(HeaderValue, StringComparison.OrdinalIgnoreCase))))
        && (Parameter is null || exchange.Target.Query.Contains(Parameter));
}
