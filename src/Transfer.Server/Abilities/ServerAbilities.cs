using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Abilities;

/// <summary>What a server does without. A request that uses it is refused, or carried out as if it didn't use it.</summary>
internal sealed class ServerAbilities
{
    private readonly HashSet<ServerAbility> _refused;
    private readonly HashSet<ServerAbility> _ignored;
    private readonly AbilityRule[] _refusals;
    private readonly AbilityRule[] _omissions;

    /// <param name="refused">The abilities whose use is an error.</param>
    /// <param name="ignored">The abilities whose use has no effect.</param>
    /// <exception cref="ArgumentException">Thrown when an ability can't be refused or ignored, or is both.</exception>
    public ServerAbilities(IReadOnlyCollection<ServerAbility> refused, IReadOnlyCollection<ServerAbility> ignored)
    {
        (_refused, _ignored) = ([.. refused], [.. ignored]);
        Check(_refused, nameof(EmbeddedS3ServerOptions.Refuses), static rule => rule.CanRefuse);
        Check(_ignored, nameof(EmbeddedS3ServerOptions.Ignores), static rule => rule.CanIgnore);
        foreach (ServerAbility both in _refused.Where(_ignored.Contains))
        {
            throw Wrong(nameof(EmbeddedS3ServerOptions.Ignores), both, $"abilities that {nameof(EmbeddedS3ServerOptions.Refuses)} doesn't contain");
        }

        _refusals = [.. AbilityTable.Rules.Where(rule => _refused.Contains(rule.Ability))];
        _omissions = [.. AbilityTable.Rules.Where(rule => _ignored.Contains(rule.Ability) && rule.CanIgnore)];
    }

    public bool Refuses(ServerAbility ability) => _refused.Contains(ability);

    public bool Ignores(ServerAbility ability) => _ignored.Contains(ability);

    /// <summary>Refuses a request, or removes what has no effect from it.</summary>
    /// <exception cref="S3Exception">Thrown when the request uses something that is refused.</exception>
    public void Apply(S3Exchange exchange)
    {
        foreach (AbilityRule rule in _refusals)
        {
            if (rule.IsUsedBy(exchange))
            {
                throw S3Errors.NotImplemented(rule.Header ?? rule.Parameter ?? exchange.Operation.ToString());
            }
        }

        foreach (AbilityRule rule in _omissions)
        {
            if (rule.IsUsedBy(exchange))
            {
                exchange.Omit(rule.Header, rule.Parameter);
            }
        }
    }

    private static void Check(HashSet<ServerAbility> abilities, string option, Func<AbilityRule, bool> isPossible)
    {
        foreach (ServerAbility ability in abilities)
        {
            if (!AbilityTable.Rules.Any(rule => rule.Ability == ability && isPossible(rule)))
            {
                throw Wrong(option, ability, string.Join(", ", AbilityTable.Rules.Where(isPossible).Select(static rule => rule.Ability).Distinct()));
            }
        }
    }

    private static ArgumentException Wrong(string option, ServerAbility ability, string allowed)
#pragma warning disable MA0015 // the message names the option
        => new($"{nameof(EmbeddedS3ServerOptions)}.{option} contains '{ability}'; allowed: {allowed}.");
#pragma warning restore MA0015
}
