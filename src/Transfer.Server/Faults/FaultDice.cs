namespace Transfer.S3.Server.Faults;

/// <summary>Selects random faults, reproducibly for a seed: each call uses one random number, even if it selects no fault.</summary>
internal sealed class FaultDice(int seed, IReadOnlyDictionary<ServerFault, double> probabilities)
{
#pragma warning disable CA5394 // the same seed must give the same numbers
    private readonly Random _random = new(seed);
    private readonly KeyValuePair<ServerFault, double>[] _faults = [.. probabilities.OrderBy(static pair => pair.Key)];

    public ServerFault? Throw()
    {
        double number = _random.NextDouble();
#pragma warning restore CA5394
        foreach ((ServerFault fault, double probability) in _faults)
        {
            if (number < probability)
            {
                return fault;
            }

            number -= probability;
        }

        return null;
    }
}
