using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Faults;

/// <summary>Validates a fault plan.</summary>
internal static class FaultCheck
{
    public static void ThrowIfWrong(FaultPlan plan, bool isHttps)
    {
        foreach (FaultRule rule in plan.Rules)
        {
            Check(rule);
        }

        foreach ((ServerFault fault, double probability) in plan.Probabilities)
        {
            Require(Enum.IsDefined(fault), nameof(plan.Probabilities), fault, $"the values of {nameof(ServerFault)}");
            Require(probability is >= 0 and <= 1, $"{nameof(plan.Probabilities)}[{fault}]", probability, "0 to 1");
        }

        double sum = plan.Probabilities.Values.Sum();
        Require(sum <= 1 + 1e-9, nameof(plan.Probabilities), sum, "at most 1 in total");
        bool needsHttps = plan.Rules.Any(static rule => rule.Fault == ServerFault.FailHandshake) || plan.Probabilities.ContainsKey(ServerFault.FailHandshake);
        Require(isHttps || !needsHttps, nameof(ServerFault), ServerFault.FailHandshake, "only on a server with a Certificate");
    }

    private static void Check(FaultRule rule)
    {
        const string name = nameof(FaultRule);
        Require(Enum.IsDefined(rule.Fault), $"{name}.{nameof(rule.Fault)}", rule.Fault, $"the values of {nameof(ServerFault)}");
        Require(
            rule.Operation is null || (Enum.TryParse(rule.Operation, out S3Operation operation) && operation.ToString() == rule.Operation),
            $"{name}.{nameof(rule.Operation)}",
            rule.Operation,
            "the name of an S3 operation");
        Require(
            rule.PartNumber is null or (>= 1 and <= ServerDefaults.MaximumPartNumber),
            $"{name}.{nameof(rule.PartNumber)}",
            rule.PartNumber,
            $"1 to {ServerDefaults.MaximumPartNumber}");
        Require(rule.After >= 0, $"{name}.{nameof(rule.After)}", rule.After, "0 or more");
        Require(rule.Times is null or >= 1, $"{name}.{nameof(rule.Times)}", rule.Times, "1 or more, or null");
        Require(
            !FaultScope.IsOfConnections(rule.Fault) || rule is { Operation: null, Key: null, PartNumber: null },
            $"{name}.{nameof(rule.Fault)}",
            rule.Fault,
            "only without Operation, Key, and PartNumber");
    }

    private static void Require(bool condition, string what, object? value, string allowed)
    {
        if (!condition)
        {
#pragma warning disable MA0015 // the message names the property; the parameter name of this method would mean nothing to the caller
            throw new ArgumentException(string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{nameof(FaultPlan)}: {what} is '{value}'; allowed: {allowed}."));
#pragma warning restore MA0015
        }
    }
}
